#include "core/sql/dialect/macros.h"

#include "core/sql/dialect/tokens.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace helio::sql {
namespace {

constexpr std::size_t MostNested = 64; ///< Largest number of macros within each other.
/// Most memory that is filled for the macros of one statement, in bytes. SQLite itself takes statements of 1 MB.
constexpr std::size_t MostCopied = 32u << 20;
constexpr std::size_t MostCalls = 20'000; ///< Largest number of macros of one statement, also if they stand for nothing.

/// A macro and its arguments, as they stand in a text.
struct MacroCall {
    std::size_t end = 0; ///< Offset behind the closing parenthesis.
    std::vector<std::pair<std::size_t, std::size_t>> arguments; ///< Begin and end of each argument.
};

/// Reads the arguments of a macro, whose opening parenthesis `reader` returned last. Returns nullopt if the closing one is missing.
std::optional<MacroCall> readCall(TokenReader& reader, std::size_t begin)
{
    MacroCall call;
    std::size_t depth = 1;
    std::size_t last = begin; // End of the last token.
    std::optional<std::size_t> first; // Begin of the current argument.
    const auto endArgument = [&] {
        call.arguments.emplace_back(first.value_or(last), last);
        first.reset();
    };
    while (const auto token = reader.next()) {
        depth += token->is('(') ? 1 : 0;
        depth -= token->is(')') ? 1 : 0;
        if (depth == 0) {
            if (first || !call.arguments.empty())
                endArgument();
            call.end = token->end();
            return call;
        }
        if (depth == 1 && token->is(',')) {
            endArgument();
            last = token->end();
            continue;
        }
        if (!first)
            first = token->begin;
        last = token->end();
    }
    return {};
}

/// Replaces the macros of one statement.
class Expansion {
public:
    Expansion(const std::map<std::string, Macro>& macros, const SourceText& source)
        : m_macros(macros)
        , m_source(source)
    {
    }

    /// A text in which macros are replaced: the statement or the body of a macro.
    struct Place {
        std::string_view text;
        const Macro* macro = nullptr; ///< Macro whose body the text is; nullptr for the statement.
        const std::vector<MappedText>* arguments = nullptr;
        std::size_t origin = 0; ///< Offset of the outermost macro in the source; only for bodies.
        std::size_t depth = 0;

        std::size_t originOf(std::size_t offset) const { return macro ? origin : offset; }
    };

    Result<MappedText> expand(const Place& place, std::size_t begin, std::size_t end)
    {
        MappedText out;
        std::size_t copied = begin; // Text before this offset is in `out`.
        const auto copyTo = [&](std::size_t to) {
            const std::string_view text = place.text.substr(copied, to - copied);
            m_copied += text.size();
            if (place.macro)
                out.appendMade(text, place.origin, place.macro->name);
            else
                out.appendCopy(text, copied);
        };
        TokenReader reader(place.text.substr(0, end), begin);
        std::optional<Token> token = reader.next();
        while (token) {
            if (token->kind == TokenKind::Variable && place.macro) {
                if (const MappedText* const argument = argumentFor(place, token->text)) {
                    copyTo(token->begin);
                    out.append(*argument);
                    m_copied += argument->cost();
                    copied = token->end();
                }
                token = reader.next();
            } else if (token->kind == TokenKind::Word) {
                const Token name = *token;
                token = reader.next();
                if (!token || !token->is('!') || token->begin != name.end())
                    continue;
                token = reader.next();
                if (!token || !token->is('('))
                    continue;
                copyTo(name.begin);
                const auto call = readCall(reader, token->end());
                if (!call)
                    return fail(place, token->begin, "the parenthesis is not closed");
                const auto meant = expandCall(place, name, *call);
                if (!meant)
                    return meant.error();
                out.append(*meant);
                m_copied += meant->cost();
                copied = call->end;
                token = reader.next();
            } else {
                token = reader.next();
            }
            if (m_copied > MostCopied)
                return fail(place, copied, "the macros stand for too much text");
        }
        copyTo(end);
        return out;
    }

private:
    Error fail(const Place& place, std::size_t offset, const std::string& what) const
    {
        std::string position = m_source.position(place.originOf(offset));
        if (place.macro)
            position += ", in macro " + place.macro->name;
        return {Error::Kind::Usage, position + ": " + what};
    }

    static const MappedText* argumentFor(const Place& place, std::string_view variable)
    {
        for (std::size_t i = 0; i < place.macro->parameters.size(); ++i)
            if (variable.front() == '$' && areSameName(variable.substr(1), place.macro->parameters[i]))
                return &(*place.arguments)[i];
        return nullptr;
    }

    Result<MappedText> expandCall(const Place& place, const Token& name, const MacroCall& call)
    {
        const auto found = m_macros.find(foldedName(name.text));
        if (found == m_macros.end())
            return fail(place, name.begin, "no such macro: " + std::string(name.text));
        const Macro& macro = found->second;
        if (call.arguments.size() != macro.parameters.size())
            return fail(place, name.begin,
                        "the macro " + macro.name + " takes " + std::to_string(macro.parameters.size()) + " arguments, not "
                            + std::to_string(call.arguments.size()));
        if (place.depth == MostNested)
            return fail(place, name.begin, "macros are nested too deeply");
        if (++m_calls > MostCalls)
            return fail(place, name.begin, "the statement contains too many macros");
        std::vector<MappedText> arguments;
        for (const auto& [begin, end] : call.arguments) {
            Place inside = place;
            ++inside.depth; // Arguments may contain macros, too.
            auto argument = expand(inside, begin, end);
            if (!argument)
                return argument.error();
            arguments.push_back(std::move(*argument));
        }
        return expand({macro.body, &macro, &arguments, place.originOf(name.begin), place.depth + 1}, 0, macro.body.size());
    }

    const std::map<std::string, Macro>& m_macros;
    const SourceText& m_source;
    std::size_t m_copied = 0;
    std::size_t m_calls = 0;
};

} // namespace

bool Macros::contains(const std::string& name) const { return m_macros.contains(foldedName(name)); }
void Macros::add(Macro macro) { m_macros.insert_or_assign(foldedName(macro.name), std::move(macro)); }
bool Macros::remove(const std::string& name) { return m_macros.erase(foldedName(name)) > 0; }

Result<MappedText> Macros::expand(const SourceText& source, std::size_t begin, std::size_t end) const
{
    return Expansion(m_macros, source).expand({source.text}, begin, end);
}

} // namespace helio::sql
