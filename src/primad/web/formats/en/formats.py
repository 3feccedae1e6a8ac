"""Times with their zone, as all other pages write them."""

DATETIME_FORMAT = "Y-m-d H:i e"
