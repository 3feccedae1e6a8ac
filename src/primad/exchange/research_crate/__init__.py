"""A research object (RO-Crate) of a thing, and back: packing and unpacking."""
