#include "core/xml_analysis/reading/entities.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace helio::xml {
namespace {

constexpr std::array<std::string_view, 5> OwnOfXml{"amp", "lt", "gt", "quot", "apos"};
constexpr std::size_t MostShown = 40;
constexpr std::string_view Space = " \t\r\n";

/// True for a character reference without "&" and ";", e.g. "#65" or "#x41".
bool isCharacter(std::string_view name)
{
    if (!name.starts_with('#'))
        return false;
    const bool isHex = name.starts_with("#x");
    name.remove_prefix(isHex ? 2 : 1);
    unsigned code = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, isHex ? 16 : 10);
    return error == std::errc() && end == name.data() + name.size() && code > 0 && code <= 0x10ffff;
}

/// Finds the first fault in one pass over a text.
class Search {
public:
    explicit Search(std::string_view text)
        : m_text(text)
    {
    }

    std::optional<EntityFault> run()
    {
        while (!m_fault && (m_at = m_text.find_first_of("<&", m_at)) != std::string_view::npos)
            if (m_text[m_at] == '&')
                takeEntity();
            else if (!skip("<!--", "-->") && !skip("<![CDATA[", "]]>") && !skip("<?", "?>") && !takeDocumentType())
                ++m_at;
        return m_fault;
    }

private:
    /// Skips a section that begins at the current position and ends with `end`, or at the end of the text. Returns false if no such section
    /// begins here.
    bool skip(std::string_view begin, std::string_view end)
    {
        if (!m_text.substr(m_at).starts_with(begin))
            return false;
        const std::size_t found = m_text.find(end, m_at + begin.size());
        m_at = found == std::string_view::npos ? m_text.size() : found + end.size();
        return true;
    }

    void takeEntity()
    {
        const std::string_view rest = m_text.substr(m_at + 1, MostShown);
        const std::size_t end = rest.find_first_of(";<>&\"'= \t\r\n");
        const std::string_view name = rest.substr(0, end);
        const bool isEnded = end != std::string_view::npos && rest[end] == ';';
        if (!isEnded || name.empty())
            fail(m_at, "a \"&\" that stands for itself has to be written &amp;");
        else if (name.starts_with('#') && !isCharacter(name))
            fail(m_at, "\"&" + std::string(name) + ";\" is no character");
        else if (!name.starts_with('#') && std::ranges::find(OwnOfXml, name) == OwnOfXml.end())
            fail(m_at, "there is no entity \"" + std::string(name) + "\": only &amp;, &lt;, &gt;, &quot;, &apos; and characters are read");
        ++m_at;
    }

    bool takeDocumentType()
    {
        constexpr std::string_view Begin = "<!DOCTYPE";
        if (!m_text.substr(m_at).starts_with(Begin))
            return false;
        std::size_t at = m_at + Begin.size();
        for (char quote = 0; at < m_text.size() && (quote != 0 || (m_text[at] != '>' && m_text[at] != '[')); ++at)
            if (m_text[at] == quote)
                quote = 0;
            else if (quote == 0 && (m_text[at] == '"' || m_text[at] == '\''))
                quote = m_text[at];
        if (at < m_text.size() && m_text[at] == '[')
            refuse(at);
        m_at = at;
        return true;
    }

    /// Refuses a document type with definitions; `definitions` is the offset of their begin.
    void refuse(std::size_t definitions)
    {
        constexpr std::string_view Begin = "<!ENTITY";
        const std::string type = wordAt(m_at + std::string_view("<!DOCTYPE").size());
        const std::size_t entity = m_text.find(Begin, definitions);
        if (entity == std::string_view::npos)
            return fail(m_at, "the document type " + type + " has definitions of its own: they are not read");
        fail(entity,
             "the document type " + type + " defines the entity " + wordAt(entity + Begin.size())
                 + ": entities are not read, their text has to stand where it is meant");
    }
    std::string wordAt(std::size_t at) const
    {
        at = std::min(m_text.find_first_not_of(Space, at), m_text.size());
        const std::size_t end = std::min(m_text.find_first_of(" \t\r\n[>\"'", at), m_text.size());
        return '"' + std::string(m_text.substr(at, std::min(end - at, MostShown))) + '"';
    }
    void fail(std::size_t offset, std::string what) { m_fault = {offset, std::move(what)}; }

    const std::string_view m_text;
    std::size_t m_at = 0;
    std::optional<EntityFault> m_fault;
};

} // namespace

std::optional<EntityFault> findEntityFault(std::string_view text) { return Search(text).run(); }

} // namespace helio::xml
