#pragma once

#include "core/base/result.h"
#include "core/sql/dialect/statements.h"
#include "core/sql/engine/sqlite_objects.h"
#include "core/sql/engine/virtual_module.h"

#include <map>
#include <memory>
#include <string>

struct sqlite3;

namespace helio::sql {

/// The functions that statements created with CREATE PERFETTO FUNCTION.
///
/// A function runs its SELECT once for each call, with the arguments as parameters. Functions may call each other and themselves.
/// Threads: to be used by one thread at a time.
class CreatedFunctions {
public:
    /// Largest number of functions that run within each other. Each of them takes memory of the thread's stack.
    static constexpr int MostNested = 200;

    CreatedFunctions(sqlite3* connection, std::shared_ptr<const RunningStatement> running);
    ~CreatedFunctions();
    CreatedFunctions(const CreatedFunctions&) = delete;
    CreatedFunctions& operator=(const CreatedFunctions&) = delete;

    /// Returns the definition of a function; nullptr if none of that name was created.
    std::shared_ptr<const CreateFunction> find(const std::string& name) const;
    /// Adds a function, and removes one of the same name.
    /// Errors: Usage with SQLite's message, e.g. for too many arguments.
    Status add(std::shared_ptr<const CreateFunction> function);
    bool remove(const std::string& name); ///< Returns false if there is no such function.

    using Definitions = std::map<std::string, std::shared_ptr<const CreateFunction>>; ///< Functions by folded name.
    Definitions definitions() const;
    /// Removes and adds functions, so that there are those that definitions() returned earlier.
    void restore(const Definitions& earlier);

    /// Finalizes the statements that are kept for the next calls. Required before the connection is closed.
    void clearStatements();

    struct Shared;
    struct Definition;

private:
    std::shared_ptr<Shared> m_shared;
    std::map<std::string, std::shared_ptr<Definition>> m_functions; ///< Functions by folded name.
};

/// Returns SQLite's name of a declared type for the schema of a table; empty for any type.
std::string_view sqlTypeOf(DeclaredType type);

} // namespace helio::sql
