# SPDX-License-Identifier: Apache-2.0
# An archive is unpacked anywhere: it holds no prefix.
if(CPACK_GENERATOR STREQUAL "TGZ")
    set(CPACK_PACKAGING_INSTALL_PREFIX /)
endif()
