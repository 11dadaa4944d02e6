#pragma once

#include <string_view>

namespace helio {

/// Which of the categories' colours the code of a module, or of a function, has. By its name alone, so that it is the same in every view,
/// run, recording and selection. None of the blues, which are the kernel's.
int categoryOfName(std::string_view name);

} // namespace helio
