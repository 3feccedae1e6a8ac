"""What primad does, shown on a study that it carries out itself."""
