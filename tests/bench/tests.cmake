# SPDX-License-Identifier: Apache-2.0
# The bench is a target, not a test: tests never assert a time. The entry only checks that
# it runs and that the documents of the peers and ours agree.
if(TARGET ocp-convert)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    add_executable(bench-measure ${CMAKE_CURRENT_SOURCE_DIR}/bench/measure.c)
    add_executable(bench-empty ${CMAKE_CURRENT_SOURCE_DIR}/bench/empty.c)
    target_link_libraries(bench-empty PRIVATE PkgConfig::GLIB PkgConfig::YAML PkgConfig::JSONC
                                              PkgConfig::ZLIB PkgConfig::ZSTD)
    add_executable(bench-patterns ${CMAKE_CURRENT_SOURCE_DIR}/bench/patterns.c)
    target_link_libraries(bench-patterns PRIVATE ocp_schema_all)
    set_target_properties(bench-measure bench-empty bench-patterns PROPERTIES
                          RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bench)
    set(bench_run ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/bench/run.py
                  --build ${CMAKE_BINARY_DIR})
    add_custom_target(bench
        COMMAND ${bench_run} $<$<BOOL:$ENV{OCP_BENCH_SHORT}>:--short>
        DEPENDS ocp-convert bench-measure bench-empty
        COMMAND_EXPAND_LISTS
        USES_TERMINAL)
    if(NOT OCP_SANITIZE)
        add_test(NAME bench-short COMMAND ${bench_run} --short --no-callgrind)
        add_test(NAME bench-instructions COMMAND ${bench_run} --gate)
        set_tests_properties(bench-short bench-instructions PROPERTIES
                             LABELS long TIMEOUT 900 SKIP_RETURN_CODE 77 RUN_SERIAL ON)
    endif()
endif()
