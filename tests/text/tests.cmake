include(${CMAKE_CURRENT_LIST_DIR}/json.cmake OPTIONAL)
include(${CMAKE_CURRENT_LIST_DIR}/yaml.cmake OPTIONAL)
