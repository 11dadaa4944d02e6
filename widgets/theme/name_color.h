#pragma once

#include <cstdint>
#include <string_view>

namespace helio {

/// The same in every run and on every machine.
std::uint32_t hashOfName(std::string_view name);

/// Which of the categories' colours the code of a function has; modules have those of ModuleColors. By its name alone, so that it is the
/// same in every view, run, recording and selection. None of the blues, which are the kernel's.
int categoryOfName(std::string_view name);

} // namespace helio
