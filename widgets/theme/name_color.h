#pragma once

#include <cstdint>
#include <string_view>

namespace helio {

/// Hash that is the same in every run and on every machine.
std::uint32_t hashOfName(std::string_view name);

/// Category colour for the code of a function; ModuleColors has those of modules. It depends on the name alone, so that it is the same in
/// every view, run, recording and selection. No colour is blue, because blue stands for the kernel.
int categoryOfName(std::string_view name);

} // namespace helio
