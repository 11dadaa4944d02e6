#pragma once

#include <exception>
#include <new>
#include <sqlite3.h>

namespace helio::sql {

/// Calls `action`, which returns a result code of SQLite and may throw. Returns that code, or the result code for the exception. Each
/// function that SQLite calls uses it, because exceptions must not pass through the C code of SQLite.
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
