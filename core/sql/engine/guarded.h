#pragma once

#include <exception>
#include <new>
#include <sqlite3.h>

namespace helio::sql {

/// Calls `action`, which returns a result code of SQLite and may throw, and returns its code or the code for the exception. For functions
/// that SQLite calls: exceptions must not pass through SQLite.
template <typename Action> int guarded(const Action& action)
{
    try {
        return action();
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception&) {
        return SQLITE_ERROR;
    }
}

} // namespace helio::sql
