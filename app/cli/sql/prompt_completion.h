#pragma once

#include "app/cli/prompt/line_editor.h"
#include "core/sql/engine/database.h"
#include "core/sql/schema.h"

#include <optional>
#include <string_view>

namespace helio {

/// Finds what can stand at the cursor of a statement: tables, columns, functions, modules and keywords.
class PromptCompletion {
public:
    explicit PromptCompletion(sql::Database& database)
        : m_database(database)
    {
    }

    /// Returns the candidates for the word at the end of `line`. `earlier` are the lines of the statement before.
    Completion complete(std::string_view earlier, std::string_view line);
    void forgetSchema() { m_schema.reset(); } ///< To be called after statements that may have created something.

private:
    const sql::Schema& schema();

    sql::Database& m_database;
    std::optional<sql::Schema> m_schema; ///< Names of the database; nullopt until they are needed.
};

} // namespace helio
