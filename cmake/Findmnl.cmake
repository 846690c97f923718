# Finds libmnl and defines the target mnl::mnl.
find_path(mnl_INCLUDE_DIR libmnl/libmnl.h)
find_library(mnl_LIBRARY mnl)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(mnl REQUIRED_VARS mnl_LIBRARY mnl_INCLUDE_DIR)
if(mnl_FOUND AND NOT TARGET mnl::mnl)
  add_library(mnl::mnl UNKNOWN IMPORTED)
  set_target_properties(mnl::mnl PROPERTIES
    IMPORTED_LOCATION "${mnl_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${mnl_INCLUDE_DIR}")
endif()
