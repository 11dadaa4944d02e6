#include "core/sql/engine/dialect_session.h"

#include "core/sql/dialect/tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <sqlite3.h>
#include <utility>

namespace helio::sql {
namespace {

/// Keywords of SQLite that no statement has before a parenthesis, so that a call of a function of that name can be told from them.
constexpr std::array<std::string_view, 7> QuotableKeywords{"add", "commit", "group", "index", "nothing", "order", "transaction"};
constexpr std::size_t MostIncluded = 64; ///< Largest number of modules that include each other.

Error errorAt(const SourceText& source, std::size_t offset, const std::string& what)
{
    return {Error::Kind::Usage, source.position(offset) + ": " + what};
}

/// Returns a statement of the program, which was made because of the statement at `begin`.
MappedText made(const std::string& text, std::size_t begin)
{
    MappedText mapped;
    mapped.appendMade(text, begin);
    return mapped;
}

/// Returns a text in which names before a parenthesis are quoted.
MappedText withQuotedCalls(const MappedText& text, const std::set<std::string>& names)
{
    MappedText quoted;
    std::size_t copied = 0;
    TokenReader reader(text.text());
    std::optional<Token> before;
    while (const auto token = reader.next()) {
        if (token->is('(') && before && before->kind == TokenKind::Word && names.contains(foldedName(before->text))) {
            quoted.append(text.part(copied, before->begin));
            quoted.appendMade(quotedName(before->text), text.origin(before->begin));
            copied = before->end();
        }
        before = token;
    }
    quoted.append(text.part(copied, text.text().size()));
    return quoted;
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace

/// True if SQLite does not take a keyword for the name of a function.
bool DialectSession::needsQuotes(const std::string& name)
{
    if (sqlite3_keyword_check(name.data(), static_cast<int>(name.size())) == 0)
        return false;
    const auto call = m_engine.prepareFor(made("SELECT " + name + "()", 0), {});
    return !call && call.error().what.find("syntax error") != std::string::npos;
}

/// Quotes the names of functions that are keywords of SQLite, e.g. `add`, where they are called.
void DialectSession::quoteCalls(decltype(DialectStatement::what)& statement) const
{
    if (m_keywords.empty())
        return;
    if (auto* plain = std::get_if<PlainStatement>(&statement))
        plain->text = withQuotedCalls(plain->text, m_keywords);
    else if (auto* relation = std::get_if<CreateRelation>(&statement))
        relation->select = withQuotedCalls(relation->select, m_keywords);
    else if (auto* function = std::get_if<CreateFunction>(&statement))
        function->select = withQuotedCalls(function->select, m_keywords);
}

Status DialectSession::run(const SourceText& source, RowReceiver* receiver)
{
    StatementReader reader(source, m_macros);
    for (;;) {
        auto statement = reader.next();
        if (!statement)
            return statement.error();
        if (!*statement)
            return Done{};
        quoteCalls((*statement)->what);
        RowReceiver* const rows = reader.isAtEnd() ? receiver : nullptr;
        const auto& what = (*statement)->what;
        const auto executeIt = [&] {
            return std::visit([&](const auto& it) { return execute(it, source, rows, (*statement)->begin); }, what);
        };
        if (Status done = std::holds_alternative<PlainStatement>(what) ? executeIt() : doWhole(executeIt); !done)
            return done;
    }
}

/// Makes the changes of a statement, and undoes all of them if one fails.
Status DialectSession::doWhole(const std::function<Status()>& change)
{
    if (!m_open.empty()) // The statement that includes the module undoes them.
        return change();
    const Created before{m_macros, m_functions.definitions(), m_keywords, m_included};
    if (Status begun = m_engine.beginChanges(); !begun)
        return begun;
    Status done = change();
    if (const Status ended = m_engine.endChanges(bool(done)); done && !ended)
        done = ended;
    if (!done)
        restore(before);
    return done;
}

void DialectSession::restore(const Created& created)
{
    m_macros = created.macros;
    m_functions.restore(created.functions);
    m_keywords = created.keywords;
    m_included = created.included;
}

Status DialectSession::execute(const PlainStatement& statement, const SourceText& source, RowReceiver* receiver, std::size_t)
{
    return m_engine.runPlain(statement.text, source, receiver);
}

/// Compares the columns of a SELECT with the declared ones.
Status DialectSession::checkColumns(const std::vector<DeclaredColumn>& declared, const MappedText& select, const SourceText& source,
                                    std::size_t begin)
{
    const auto statement = m_engine.prepareFor(select, source);
    if (!statement)
        return statement.error();
    if (!*statement || sqlite3_column_count(statement->get()) == 0 || sqlite3_stmt_readonly(statement->get()) == 0)
        return errorAt(source, select.origin(0), "expected a SELECT");
    std::vector<std::string> found;
    for (int i = 0; i < sqlite3_column_count(statement->get()); ++i)
        found.emplace_back(sqlite3_column_name(statement->get(), i));
    std::vector<std::string> missing;
    std::vector<std::string> surplus;
    for (const DeclaredColumn& column : declared)
        if (std::ranges::none_of(found, [&](const std::string& it) { return areSameName(it, column.name); }))
            missing.push_back(column.name);
    for (const std::string& name : found)
        if (std::ranges::none_of(declared, [&](const DeclaredColumn& it) { return areSameName(it.name, name); }))
            surplus.push_back(name);
    if (declared.empty() || (missing.empty() && surplus.empty()))
        return Done{};
    std::string what = missing.empty() ? std::string() : "declared, but not selected: " + listed(missing);
    if (!surplus.empty())
        what += (what.empty() ? "" : "; ") + std::string("selected, but not declared: ") + listed(surplus);
    return errorAt(source, begin, what);
}

Status DialectSession::execute(const CreateRelation& create, const SourceText& source, RowReceiver*, std::size_t begin)
{
    if (Status done = checkColumns(create.columns, create.select, source, begin); !done)
        return done;
    const std::string type = create.isView ? "VIEW " : "TABLE ";
    const std::string name = quotedName(create.name);
    const bool replaces = create.replaces && m_engine.kindOf(create.name) == (create.isView ? "view" : "table");
    MappedText text;
    if (replaces && create.isView)
        text.appendMade("DROP VIEW " + name + "; ", begin);
    // A table may be made from the table that it replaces, so it gets another name first. SQLite cannot rename a table that views read.
    const std::string firstName = replaces && !create.isView ? quotedName(create.name + " (new)") : name;
    text.appendMade("CREATE " + type + firstName + " AS ", begin);
    text.append(create.select);
    if (firstName != name)
        text.appendMade("; DROP TABLE " + name + "; CREATE TABLE " + name + " AS SELECT * FROM " + firstName + "; DROP TABLE " + firstName,
                        begin);
    if (Status done = m_engine.runPlain(text, source, nullptr); !done)
        return done;
    // SQLite reads the text of a view only when it is used. The view may read itself, although the one that it replaced did not.
    const auto read = m_engine.prepareFor(made("SELECT * FROM " + name, begin), source);
    return read ? Status(Done{}) : Status(read.error());
}

Status DialectSession::execute(const CreateIndex& create, const SourceText& source, RowReceiver*, std::size_t begin)
{
    MappedText text;
    if (create.replaces)
        text.appendMade("DROP INDEX IF EXISTS " + quotedName(create.name) + "; ", begin);
    text.appendMade("CREATE INDEX " + quotedName(create.name) + " ON ", begin);
    text.append(create.definition);
    return m_engine.runPlain(text, source, nullptr);
}

Status DialectSession::checkFunction(const CreateFunction& create, const SourceText& source, std::size_t begin)
{
    if (Status done = checkColumns(create.columns, create.select, source, begin); !done)
        return done;
    if (create.returnsTable())
        return Done{};
    const auto statement = m_engine.prepareFor(create.select, source);
    if (!statement)
        return statement.error();
    if (sqlite3_column_count(statement->get()) != 1)
        return errorAt(source, create.select.origin(0), "the SELECT of a function that returns a value must have one column");
    return Done{};
}

Status DialectSession::execute(const CreateFunction& create, const SourceText& source, RowReceiver*, std::size_t begin)
{
    const auto before = m_functions.find(create.name);
    if (before && !create.replaces)
        return errorAt(source, begin, "the function " + create.name + " exists already; use CREATE OR REPLACE to replace it");
    const std::string kind = before ? std::string() : m_engine.kindOf(create.name);
    if (!kind.empty())
        return errorAt(source, begin, "a " + kind + " is named " + create.name + " already");
    if (needsQuotes(create.name)) {
        if (std::ranges::find(QuotableKeywords, foldedName(create.name)) == QuotableKeywords.end())
            return errorAt(source, begin, create.name + " is a keyword of SQL, and cannot be the name of a function");
        m_keywords.insert(foldedName(create.name));
    }
    // The function may call itself, so it must exist before its SELECT is checked.
    if (Status done = m_functions.add(std::make_shared<const CreateFunction>(create)); !done)
        return done;
    return checkFunction(create, source, begin);
}

Status DialectSession::execute(const CreateMacro& create, const SourceText& source, RowReceiver*, std::size_t begin)
{
    if (!create.replaces && m_macros.contains(create.macro.name))
        return errorAt(source, begin, "the macro " + create.macro.name + " exists already; use CREATE OR REPLACE to replace it");
    m_macros.add(create.macro);
    return Done{};
}

Status DialectSession::execute(const DropObject& drop, const SourceText& source, RowReceiver*, std::size_t begin)
{
    using Kind = DropObject::Kind;
    const auto dropIfThere = [&](const char* kind, const char* statement) {
        const bool exists = m_engine.kindOf(drop.name) == kind;
        const Status done = exists ? m_engine.runPlain(made(statement + quotedName(drop.name), begin), source, nullptr) : Status(Done{});
        return done ? Result<bool>(exists) : Result<bool>(done.error());
    };
    const Result<bool> dropped = [&]() -> Result<bool> {
        switch (drop.kind) {
        case Kind::Function: return m_functions.remove(drop.name);
        case Kind::Macro: return m_macros.remove(drop.name);
        case Kind::Table: return dropIfThere("table", "DROP TABLE ");
        case Kind::View: return dropIfThere("view", "DROP VIEW ");
        case Kind::Index: return dropIfThere("index", "DROP INDEX ");
        }
        return false;
    }();
    if (!dropped)
        return dropped.error();
    return *dropped || drop.mayBeMissing ? Status(Done{}) : Status(errorAt(source, begin, "nothing to drop is named " + drop.name));
}

Status DialectSession::execute(const IncludeModule& statement, const SourceText& source, RowReceiver*, std::size_t begin)
{
    const bool isPattern = statement.pattern.ends_with('*');
    const std::vector<std::string> names = m_modules.find(statement.pattern);
    if (names.empty())
        return errorAt(source, begin, "no module matches " + statement.pattern);
    for (const std::string& name : names) {
        if (m_included.contains(name) || (isPattern && std::ranges::find(m_open, name) != m_open.end()))
            continue;
        if (Status done = include(name); !done) {
            // The module's own errors have a position already.
            const bool hasPosition = done.error().what.starts_with("module ") || done.error().kind == Error::Kind::Cancelled;
            return hasPosition ? done : Status(Error{done.error().kind, source.position(begin) + ": " + done.error().what});
        }
    }
    return Done{};
}

/// Runs the statements of a module.
Status DialectSession::include(const std::string& name)
{
    if (std::ranges::find(m_open, name) != m_open.end())
        return Error{Error::Kind::Usage, "modules include each other: " + listed(m_open) + ", " + name};
    if (m_open.size() == MostIncluded)
        return Error{Error::Kind::Usage, "more than " + std::to_string(MostIncluded) + " modules include each other"};
    const auto text = m_modules.read(name);
    if (!text)
        return Error{Error::Kind::Usage, text.error().what};
    m_open.push_back(name);
    Status done = run({"module " + name, *text}, nullptr);
    m_open.pop_back();
    if (done)
        m_included.insert(name);
    return done;
}

} // namespace helio::sql
