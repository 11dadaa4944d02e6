#pragma once

#include "core/base/result.h"
#include "core/sql/dialect/macros.h"
#include "core/sql/dialect/mapped_text.h"
#include "core/sql/dialect/modules.h"
#include "core/sql/dialect/statements.h"
#include "core/sql/engine/created_functions.h"
#include "core/sql/engine/database.h"
#include "core/sql/engine/sqlite_objects.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace helio::sql {

/// The part of a database that runs plain statements of SQLite.
class StatementEngine {
public:
    virtual ~StatementEngine() = default;

    /// Prepares a statement with the rights of the user.
    /// Errors: those of SQLite, with the position in `source`.
    virtual Result<Statement> prepareFor(const MappedText& text, const SourceText& source) = 0;
    /// Runs the statements of `text`. The rows of the last one are passed to `receiver`; nullptr drops them.
    virtual Status runPlain(const MappedText& text, const SourceText& source, RowReceiver* receiver) = 0;
    /// Returns the kind of the object of the schema or of the program that has a name, e.g. "function"; empty if the name is free.
    virtual std::string kindOf(const std::string& name) = 0;
    /// Begins changes of the schema and of tables that endChanges() keeps or undoes together. Until then, statements of the user can
    /// neither begin nor end transactions.
    virtual Status beginChanges() = 0;
    virtual Status endChanges(bool isKept) = 0;
};

/// Runs statements of Perfetto's dialect on a database, and keeps what they create: macros, functions, and which modules are included.
///
/// Threads: to be used by one thread at a time.
class DialectSession {
public:
    DialectSession(sqlite3* connection, std::shared_ptr<const RunningStatement> running, StatementEngine& engine)
        : m_functions(connection, std::move(running))
        , m_engine(engine)
    {
    }

    void setModules(ModuleLibrary modules) { m_modules = std::move(modules); }
    const ModuleLibrary& modules() const { return m_modules; }

    /// Runs all statements of a text. The rows of the last one are passed to `receiver`; nullptr drops them.
    /// Errors: Usage for wrong statements, with the position in the text or in a module; those of StatementEngine.
    Status run(const SourceText& source, RowReceiver* receiver);

private:
    /// Objects that statements created outside of the database.
    struct Created {
        Macros macros;
        CreatedFunctions::Definitions functions;
        std::set<std::string> keywords;
        std::set<std::string> included;
    };

    Status doWhole(const std::function<Status()>& change);
    void restore(const Created& created);
    Status execute(const PlainStatement& statement, const SourceText& source, RowReceiver* receiver, std::size_t begin);
    Status execute(const CreateRelation& create, const SourceText& source, RowReceiver* receiver, std::size_t begin);
    Status execute(const CreateFunction& create, const SourceText& source, RowReceiver* receiver, std::size_t begin);
    Status execute(const CreateMacro& create, const SourceText& source, RowReceiver* receiver, std::size_t begin);
    Status execute(const CreateIndex& create, const SourceText& source, RowReceiver* receiver, std::size_t begin);
    Status execute(const DropObject& drop, const SourceText& source, RowReceiver* receiver, std::size_t begin);
    Status execute(const IncludeModule& include, const SourceText& source, RowReceiver* receiver, std::size_t begin);
    bool needsQuotes(const std::string& name);
    void quoteCalls(decltype(DialectStatement::what)& statement) const;
    Status include(const std::string& name);
    Status checkColumns(const std::vector<DeclaredColumn>& declared, const MappedText& select, const SourceText& source, std::size_t begin);
    Status checkFunction(const CreateFunction& create, const SourceText& source, std::size_t begin);

    Macros m_macros;
    CreatedFunctions m_functions;
    ModuleLibrary m_modules;
    StatementEngine& m_engine;
    std::set<std::string> m_keywords; ///< Folded names of functions that are keywords of SQLite.
    std::set<std::string> m_included;
    std::vector<std::string> m_open; ///< Modules that are being included, outermost first.
};

} // namespace helio::sql
