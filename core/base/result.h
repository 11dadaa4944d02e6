#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace helio {

/// Reason why an operation failed. `what` is a clause that names file, offset and cause, if known; the application turns it into a message
/// for the user.
struct Error {
    enum class Kind { NotFound, Unreadable, Unsupported, Corrupt, Cancelled, Usage, Full };
    Kind kind;
    std::string what;
};

/// Holds either a value, or the error that explains why there is no value.
template <typename T> class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }

    /// Returns the value. Requires: the result holds a value.
    T& operator*() { return std::get<0>(m_state); }
    const T& operator*() const { return std::get<0>(m_state); }
    T* operator->() { return &std::get<0>(m_state); }
    const T* operator->() const { return &std::get<0>(m_state); }

    /// Returns the error. Requires: the result holds an error.
    const Error& error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

/// Value type of a Result whose operation has no value to return: the result is either Done, or an error.
struct Done { };
using Status = Result<Done>;

} // namespace helio
