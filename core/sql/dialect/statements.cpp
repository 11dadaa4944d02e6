#include "core/sql/dialect/statements.h"

#include "core/sql/dialect/tokens.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio::sql {
namespace {

struct TypeName {
    std::string_view name;
    DeclaredType type;
};

/// Types of arguments and columns. Those of ids, times and sets of arguments are integers.
constexpr std::array TypeNames{
    TypeName{"any", DeclaredType::Any},           TypeName{"argsetid", DeclaredType::Integer}, TypeName{"bool", DeclaredType::Integer},
    TypeName{"bytes", DeclaredType::Blob},        TypeName{"double", DeclaredType::Real},      TypeName{"duration", DeclaredType::Integer},
    TypeName{"float", DeclaredType::Real},        TypeName{"id", DeclaredType::Integer},       TypeName{"int", DeclaredType::Integer},
    TypeName{"int64", DeclaredType::Integer},     TypeName{"integer", DeclaredType::Integer},  TypeName{"joinid", DeclaredType::Integer},
    TypeName{"long", DeclaredType::Integer},      TypeName{"string", DeclaredType::Text},      TypeName{"text", DeclaredType::Text},
    TypeName{"timestamp", DeclaredType::Integer}, TypeName{"uint", DeclaredType::Integer},
};

/// Fragments of SQL that arguments of macros are.
constexpr std::array MacroTypes{"expr",           "tableorsubquery", "columnname",          "columnnamelist",
                                "_exprlist",      "_columnnamelist", "_projectionfragment", "_macro",
                                "_tablenamelist", "_sqlfragment",    "tablename",           "statement"};

/// True if a variable of a function's SELECT is one of its arguments.
bool isArgument(const CreateFunction& function, std::string_view variable)
{
    return variable.front() == '$' && std::ranges::any_of(function.arguments, [variable](const DeclaredColumn& argument) {
               return areSameName(argument.name, variable.substr(1));
           });
}

/// Reads the tokens of one statement, whose first ones say what the statement is.
class Parser {
public:
    Parser(const MappedText& text, const SourceText& source)
        : m_text(text)
        , m_source(source)
        , m_reader(text.text())
    {
        next();
    }

    Result<DialectStatement> parse();

private:
    /// Thrown inside of this class; parse() returns it.
    struct Failure {
        Error error;
    };

    void next() { m_token = m_reader.next(); }
    [[noreturn]] void fail(const std::string& what) const
    {
        const std::size_t at = m_token ? m_token->begin : m_text.text().size();
        throw Failure{{Error::Kind::Usage, m_text.position(at, m_source) + ": " + what}};
    }
    [[noreturn]] void expected(const std::string& what) const
    {
        fail("expected " + what + (m_token ? ", not " + std::string(m_token->text) : " before the end of the statement"));
    }
    bool take(std::string_view word)
    {
        if (!m_token || !m_token->isWord(word))
            return false;
        next();
        return true;
    }
    void need(std::string_view word)
    {
        if (!take(word))
            expected(std::string(word));
    }
    bool take(char punctuation)
    {
        if (!m_token || !m_token->is(punctuation))
            return false;
        next();
        return true;
    }
    void need(char punctuation)
    {
        if (!take(punctuation))
            expected(std::string(1, punctuation));
    }
    std::string needName(const char* what)
    {
        if (!m_token || !m_token->isName())
            expected(what);
        std::string name = nameIn(*m_token);
        next();
        return name;
    }
    void needEnd() const
    {
        if (m_token)
            fail("the statement should end here, before " + std::string(m_token->text));
    }
    MappedText rest(const char* what);

    DialectStatement parseCreate();
    DialectStatement parseDrop();
    DialectStatement parseInclude();
    DeclaredColumn parseType();
    std::vector<DeclaredColumn> parseColumns();
    CreateFunction parseFunction();
    CreateRelation parseRelation(bool isView);
    CreateMacro parseMacro();
    CreateIndex parseIndex();

    const MappedText& m_text;
    const SourceText& m_source;
    TokenReader m_reader;
    std::optional<Token> m_token; ///< The token to read next.
};

Result<DialectStatement> Parser::parse()
{
    try {
        if (take("INCLUDE"))
            return parseInclude();
        if (take("DROP"))
            return parseDrop();
        need("CREATE");
        return parseCreate();
    } catch (const Failure& failure) {
        return failure.error;
    }
}

/// Returns the text from the current token to the end of the statement.
MappedText Parser::rest(const char* what)
{
    if (!m_token)
        expected(what);
    return m_text.part(m_token->begin, m_text.text().size());
}

DialectStatement Parser::parseInclude()
{
    need("PERFETTO");
    need("MODULE");
    IncludeModule include;
    for (bool isFirst = true; isFirst || take('.'); isFirst = false) {
        include.pattern += isFirst ? "" : ".";
        if (take('*')) {
            include.pattern += '*';
            break;
        }
        include.pattern += needName("the name of a module");
    }
    needEnd();
    return {std::move(include)};
}

DialectStatement Parser::parseDrop()
{
    need("PERFETTO");
    DropObject drop;
    using Kind = DropObject::Kind;
    constexpr std::array Kinds{std::pair("TABLE", Kind::Table), std::pair("VIEW", Kind::View), std::pair("FUNCTION", Kind::Function),
                               std::pair("MACRO", Kind::Macro), std::pair("INDEX", Kind::Index)};
    const auto* const kind = std::ranges::find_if(Kinds, [this](const auto& it) { return take(it.first); });
    if (kind == Kinds.end())
        expected("TABLE, VIEW, FUNCTION, MACRO or INDEX");
    drop.kind = kind->second;
    if (take("IF")) {
        need("EXISTS");
        drop.mayBeMissing = true;
    }
    drop.name = needName("a name");
    if (drop.kind == Kind::Index && take("ON"))
        needName("the name of a table");
    needEnd();
    return {std::move(drop)};
}

DialectStatement Parser::parseCreate()
{
    bool replaces = false;
    if (take("OR")) {
        need("REPLACE");
        replaces = true;
    }
    need("PERFETTO");
    const auto with = [replaces](auto statement) {
        statement.replaces = replaces;
        return DialectStatement{std::move(statement)};
    };
    if (take("TABLE"))
        return with(parseRelation(false));
    if (take("VIEW"))
        return with(parseRelation(true));
    if (take("FUNCTION"))
        return with(parseFunction());
    if (take("MACRO"))
        return with(parseMacro());
    if (take("INDEX"))
        return with(parseIndex());
    expected("TABLE, VIEW, FUNCTION, MACRO or INDEX");
}

/// Reads a type, e.g. `INT` or `JOINID(thread.id)`.
DeclaredColumn Parser::parseType()
{
    DeclaredColumn column;
    const std::optional<Token> at = m_token;
    column.typeName = needName("a type");
    const auto* const found = std::ranges::find_if(TypeNames, [&](const TypeName& it) { return areSameName(it.name, column.typeName); });
    if (found == TypeNames.end()) {
        m_token = at;
        fail("unknown type: " + column.typeName);
    }
    column.type = found->type;
    if (take('(')) {
        needName("the name of a table");
        if (take('.'))
            needName("the name of a column");
        need(')');
    }
    return column;
}

/// Reads the columns or arguments in parentheses; returns an empty list for `()`.
std::vector<DeclaredColumn> Parser::parseColumns()
{
    std::vector<DeclaredColumn> columns;
    need('(');
    if (take(')'))
        return columns;
    do {
        const std::optional<Token> at = m_token;
        std::string name = needName("a name");
        if (std::ranges::any_of(columns, [&](const DeclaredColumn& it) { return areSameName(it.name, name); })) {
            m_token = at;
            fail("the name occurs twice: " + name);
        }
        DeclaredColumn column = parseType();
        column.name = std::move(name);
        columns.push_back(std::move(column));
    } while (take(','));
    need(')');
    return columns;
}

CreateRelation Parser::parseRelation(bool isView)
{
    CreateRelation create;
    create.isView = isView;
    create.name = needName("a name");
    if (m_token && m_token->is('(')) {
        create.columns = parseColumns();
        if (create.columns.empty())
            fail("no column is declared");
    }
    need("AS");
    create.select = rest("SELECT");
    return create;
}

CreateFunction Parser::parseFunction()
{
    CreateFunction create;
    create.name = needName("a name");
    create.arguments = parseColumns();
    need("RETURNS");
    if (take("TABLE")) {
        create.columns = parseColumns();
        if (create.columns.empty())
            fail("no column is declared");
    } else {
        create.result = parseType();
    }
    need("AS");
    create.select = rest("SELECT");
    for (; m_token; next())
        if (m_token->kind == TokenKind::Variable && !isArgument(create, m_token->text))
            fail("no such argument: " + std::string(m_token->text));
    return create;
}

CreateMacro Parser::parseMacro()
{
    CreateMacro create;
    const auto needType = [this] {
        const std::optional<Token> at = m_token;
        const std::string type = needName("a type");
        if (std::ranges::none_of(MacroTypes, [&](const char* it) { return areSameName(it, type); })) {
            m_token = at;
            fail("unknown type of a macro: " + type);
        }
    };
    create.macro.name = needName("a name");
    need('(');
    if (!take(')')) {
        do {
            create.macro.parameters.push_back(needName("a name"));
            needType();
        } while (take(','));
        need(')');
    }
    need("RETURNS");
    needType();
    need("AS");
    create.macro.body = rest("the text of the macro").text();
    return create;
}

CreateIndex Parser::parseIndex()
{
    CreateIndex create;
    create.name = needName("a name");
    need("ON");
    create.definition = rest("the name of a table");
    return create;
}

/// True if the tokens at the begin of a statement are those of the dialect: INCLUDE PERFETTO, DROP PERFETTO or CREATE [OR REPLACE]
/// PERFETTO.
bool isOfDialect(std::string_view statement)
{
    TokenReader reader(statement);
    auto token = reader.next();
    const bool creates = token && token->isWord("CREATE");
    if (!token || !(creates || token->isWord("DROP") || token->isWord("INCLUDE")))
        return false;
    token = reader.next();
    if (creates && token && token->isWord("OR")) {
        reader.next();
        token = reader.next();
    }
    return token && token->isWord("PERFETTO");
}

bool createsMacro(std::string_view statement)
{
    TokenReader reader(statement);
    while (const auto token = reader.next())
        if (token->isWord("PERFETTO")) {
            const auto kind = reader.next();
            return kind && kind->isWord("MACRO");
        }
    return false;
}

/// Returns the end of the statement that begins at `begin`: the offset of its semicolon or of the end of the text. A trigger contains
/// semicolons, and ends with END.
std::size_t endOfStatement(std::string_view text, std::size_t begin)
{
    TokenReader reader(text, begin);
    enum class Where : std::uint8_t { Begin, Create, Trigger, TriggerBehindSemicolon, TriggerBehindEnd, Other };
    Where where = Where::Begin;
    while (const auto token = reader.next()) {
        const bool isSemicolon = token->is(';');
        switch (where) {
        case Where::Begin:
            if (token->isWord("CREATE"))
                where = Where::Create;
            else if (!token->isWord("EXPLAIN") && !token->isWord("QUERY") && !token->isWord("PLAN"))
                where = Where::Other;
            break;
        case Where::Create:
            if (token->isWord("TRIGGER"))
                where = Where::Trigger;
            else if (!token->isWord("TEMP") && !token->isWord("TEMPORARY"))
                where = Where::Other;
            break;
        case Where::Trigger:
            if (isSemicolon)
                where = Where::TriggerBehindSemicolon;
            break;
        case Where::TriggerBehindSemicolon:
            where = token->isWord("END") ? Where::TriggerBehindEnd : isSemicolon ? where : Where::Trigger;
            break;
        case Where::TriggerBehindEnd:
            if (isSemicolon)
                return token->begin;
            where = Where::Trigger;
            break;
        case Where::Other: break;
        }
        if (isSemicolon && (where == Where::Begin || where == Where::Create || where == Where::Other))
            return token->begin;
    }
    return text.size();
}

/// Returns the offset of the first token from `at` on that is no semicolon.
std::size_t beginOfStatement(std::string_view text, std::size_t at)
{
    TokenReader reader(text, at);
    auto token = reader.next();
    while (token && token->is(';'))
        token = reader.next();
    return token ? token->begin : text.size();
}

} // namespace

bool StatementReader::isAtEnd() const { return beginOfStatement(m_source.text, m_at) == m_source.text.size(); }

Result<std::optional<DialectStatement>> StatementReader::next()
{
    const std::string_view text = m_source.text;
    const bool isFirst = m_at == 0;
    const std::size_t begin = beginOfStatement(text, m_at);
    m_at = text.size();
    if (const std::size_t zero = isFirst ? text.find('\0') : std::string_view::npos; zero != std::string_view::npos)
        return Error{Error::Kind::Usage, m_source.position(zero) + ": a zero byte"};
    if (begin == text.size())
        return std::optional<DialectStatement>();
    const std::size_t end = endOfStatement(text, begin);
    m_at = end;
    const std::string_view statement = text.substr(begin, end - begin);
    MappedText expanded;
    if (isOfDialect(statement) && createsMacro(statement)) {
        expanded.appendCopy(statement, begin);
    } else {
        auto result = m_macros.expand(m_source, begin, end);
        if (!result)
            return result.error();
        expanded = std::move(*result);
    }
    if (!isOfDialect(expanded.text()))
        return std::optional(DialectStatement{PlainStatement{std::move(expanded)}, begin});
    auto parsed = Parser(expanded, m_source).parse();
    if (!parsed)
        return parsed.error();
    parsed->begin = begin;
    return std::optional(std::move(*parsed));
}

} // namespace helio::sql
