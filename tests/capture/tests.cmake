# SPDX-License-Identifier: Apache-2.0
add_test(NAME capture-generated-long COMMAND test-capture-generated)
set_tests_properties(capture-generated-long PROPERTIES LABELS long TIMEOUT 900
                     ENVIRONMENT "OCP_LOG_MIB=1024;OCP_LOG_SEEDS=1")
