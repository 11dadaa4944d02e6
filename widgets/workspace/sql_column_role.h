#pragma once

#include <string_view>

namespace helio {

/// Meaning of a column, from its name, which determines how its values are written.
enum class SqlColumnRole {
    Plain, ///< Texts, and numbers with grouped digits.
    Time, ///< Times in ns on the experiment's clock.
    Length, ///< Durations in ns; -1 if the end is not in the recording.
    Number, ///< Numbers that name something, e.g. a TID: digits are not grouped, and there is no bar.
    State, ///< Letters of the kernel for a thread's state.
};
/// Returns the meaning of a column, or of an aggregate of a column such as "sum(dur)".
SqlColumnRole sqlColumnRole(std::string_view name);

} // namespace helio
