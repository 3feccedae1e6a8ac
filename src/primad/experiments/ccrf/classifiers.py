"""Which documents look like the relevant ones?  Classifiers, each trained for one topic.

    Classifier             what all of them can do: fit, and give scores
    logistic_regression    scikit-learn's
    linear_svm             scikit-learn's linear support vector machine
    LogisticByHand         logistic regression with scipy's optimiser alone: the same function is minimised
    Ensemble               the mean of the normalised scores of several classifiers
    things_of              a classifier as `primad.method_of` takes it

Relevant documents are few, so both classes weigh the same (balanced).  An optimiser stops when the slope is small, not
when it is zero: with the tolerance set here scikit-learn's logistic regression and the one by hand agree to 0.01 in
their scores, while scikit-learn's own tolerance of 0.0001 leaves scores that are off by as much as 0.3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

import primad
from primad.experiments.ccrf.fusion import toolkit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ITERATIONS = 1000
_TOLERANCE = 1e-6
_SEEDS = 1 << 32  # as many scikit-learn knows


class Classifier(Protocol):
    """What learns from vectors with labels, and then gives any vector a score: the higher, the more relevant."""

    def fit(self, vectors: Any, labels: NDArray[np.int64], /) -> Any:
        """Learn from VECTORS with LABELS 1 (relevant) and 0."""

    def decision_function(self, vectors: Any, /) -> NDArray[np.float64]:
        """Return a score for each of VECTORS."""


def logistic_regression(strength: float = 10.0) -> Classifier:
    """Return scikit-learn's logistic regression; the larger STRENGTH (its C), the closer to the examples."""
    library = toolkit("sklearn.linear_model")
    made: Classifier = library.LogisticRegression(
        C=strength, class_weight="balanced", max_iter=_ITERATIONS, tol=_TOLERANCE
    )
    return made


def linear_svm(strength: float = 1.0, seed: int = 0) -> Classifier:
    """Return scikit-learn's linear support vector machine; SEED decides in which order it looks at examples."""
    library = toolkit("sklearn.svm")
    made: Classifier = library.LinearSVC(
        C=strength, class_weight="balanced", dual=True, random_state=seed % _SEEDS, max_iter=20 * _ITERATIONS
    )
    return made


def ensemble(seed: int = 0) -> Classifier:
    """Return logistic regression and support vector machine together."""
    return Ensemble({"lr": logistic_regression(), "svm": linear_svm(seed=seed)})


@dataclass
class LogisticByHand:
    """Logistic regression with a quadratic penalty and balanced classes; the intercept is not penalised."""

    strength: float = 10.0
    tolerance: float = _TOLERANCE
    coefficients: Any = field(default=None, repr=False)
    intercept: float = 0.0

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters under the names that scikit-learn has for the same: an L1 share of 0 is all L2."""
        return {
            "method": f"{__name__}.LogisticByHand",
            "C": self.strength,
            "class_weight": "balanced",
            "dual": False,
            "fit_intercept": True,
            "l1_ratio": 0.0,
            "max_iter": _ITERATIONS,
            "solver": "lbfgs",
            "tol": self.tolerance,
        }

    def fit(self, vectors: Any, labels: NDArray[np.int64], /) -> Self:
        """Find the coefficients for which mean weighted loss plus penalty are least."""
        import numpy as np
        from scipy.optimize import minimize

        signs = np.where(labels == 1, 1.0, -1.0)
        weights = _balanced(labels) / len(labels)
        penalty = 1 / (self.strength * len(labels))

        def loss_and_slope(point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            margins = signs * (vectors @ point[:-1] + point[-1])
            pulls = -weights * signs * np.exp(-np.logaddexp(0.0, margins))
            loss = weights @ np.logaddexp(0.0, -margins) + penalty / 2 * point[:-1] @ point[:-1]
            return float(loss), np.append(vectors.T @ pulls + penalty * point[:-1], pulls.sum())

        start = np.zeros(vectors.shape[1] + 1)
        options = {"maxiter": _ITERATIONS, "gtol": self.tolerance, "ftol": 0.0}
        found = minimize(loss_and_slope, start, jac=True, method="L-BFGS-B", options=options)
        self.coefficients, self.intercept = found.x[:-1], float(found.x[-1])
        return self

    def decision_function(self, vectors: Any, /) -> NDArray[np.float64]:
        """Return the log-odds of relevance."""
        scores: NDArray[np.float64] = vectors @ self.coefficients + self.intercept
        return scores


@dataclass
class Ensemble:
    """Several classifiers by name; the scores of each are brought between 0 and 1, then their mean is taken."""

    members: dict[str, Classifier]

    def fit(self, vectors: Any, labels: NDArray[np.int64], /) -> Self:
        """Train each member."""
        for member in self.members.values():
            member.fit(vectors, labels)
        return self

    def decision_function(self, vectors: Any, /) -> NDArray[np.float64]:
        """Return the mean of the members' normalised scores; they depend on all of VECTORS."""
        import numpy as np

        parts = [_between_0_and_1(member.decision_function(vectors)) for member in self.members.values()]
        mean: NDArray[np.float64] = np.mean(parts, axis=0)
        return mean


def things_of(classifier: Classifier, name: str, **about: Any) -> list[object]:
    """Return CLASSIFIER as a stage called NAME with facts ABOUT it; an ensemble comes behind its members.

    What the members learn from is said once, of the ensemble; what they rerank is said of each.
    """
    if not isinstance(classifier, Ensemble):
        thing = classifier.parameters if isinstance(classifier, LogisticByHand) else classifier
        return [primad.stage(thing, name=name, **about)]
    named = {f"{name} {part}": member for part, member in classifier.members.items()}
    reranks = {key: value for key, value in about.items() if key == "reranks"}
    members = [thing for part, member in named.items() for thing in things_of(member, part, **reranks)]
    method = f"{__name__}.Ensemble"
    return [*members, primad.ensemble(of=[*named], name=name, method=method, normalisation="min-max", **about)]


def _balanced(labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return a weight for each example, so that both classes weigh half of all."""
    import numpy as np

    counts = np.bincount(labels, minlength=2)
    weights: NDArray[np.float64] = len(labels) / (2.0 * counts[labels])
    return weights


def _between_0_and_1(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return SCORES with the lowest at 0 and the highest at 1; equal scores become 1, as in a ranking."""
    import numpy as np

    span = np.ptp(scores)
    return (scores - scores.min()) / span if span else np.ones_like(scores)
