// Headers that most window tests include, precompiled once for all of them. No file may rely on it.
#pragma once

#include "tests/support/precompiled_core.h"
#include "widgets/precompiled.h"
