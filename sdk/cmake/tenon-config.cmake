# find_package(tenon): the targets tenon::tenon (the library) and tenon::sdk, the function tenon_add_plugin(), the path of the program.
include(${CMAKE_CURRENT_LIST_DIR}/tenon-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/TenonPlugin.cmake)
cmake_path(SET TENON_PROGRAM NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../../bin/tenon)
