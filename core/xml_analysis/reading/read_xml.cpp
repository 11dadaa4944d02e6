#include "core/xml_analysis/reading/definitions.h"
#include "core/xml_analysis/reading/element.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <iconv.h>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <strings.h>
#include <utility>

namespace helio::xml {
namespace {

/// An entity or a document type that refers to a definition elsewhere, which is not allowed.
struct EntityFault {
    std::size_t offset = 0; ///< Offset of the entity or document type in the text, in bytes.
    std::string what;
};

constexpr std::array<std::string_view, 5> OwnOfXml{"amp", "lt", "gt", "quot", "apos"};
constexpr std::size_t MostShown = 40;
constexpr std::string_view Space = " \t\r\n";

/// True if `name`, an entity without "&" and ";", is a character reference, for example "#65" or "#x41".
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

/// Finds the first entity fault in one pass over a text.
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
    /// Skips a section that begins at the current position with `begin` and ends with `end`, or at the end of the text. Returns false if
    /// no such section begins at the current position.
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
            fail(m_at, "write a literal \"&\" as &amp;");
        else if (name.starts_with('#') && !isCharacter(name))
            fail(m_at, "\"&" + std::string(name) + ";\" is not a valid character");
        else if (!name.starts_with('#') && std::ranges::find(OwnOfXml, name) == OwnOfXml.end())
            fail(m_at,
                 "unknown entity \"" + std::string(name)
                     + "\": only &amp;, &lt;, &gt;, &quot;, &apos; and character references are supported");
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

    /// Rejects a document type with definitions; `definitions` is the offset at which they begin.
    void refuse(std::size_t definitions)
    {
        constexpr std::string_view Begin = "<!ENTITY";
        const std::string type = wordAt(m_at + std::string_view("<!DOCTYPE").size());
        const std::size_t entity = m_text.find(Begin, definitions);
        if (entity == std::string_view::npos)
            return fail(m_at, "the document type " + type + " has its own definitions, which are not supported");
        fail(entity,
             "the document type " + type + " defines the entity " + wordAt(entity + Begin.size())
                 + ": entities are not supported; write their text in place");
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

/// Finds a document type with definitions, or a "&" that begins neither a predefined entity of XML nor a character reference. With such a
/// fault, the meaning of a text depends on other definitions, or the text is not XML. Returns nullopt if there is no fault. The text need
/// not be well formed.
/// Cost: linear.
std::optional<EntityFault> findEntityFault(std::string_view text) { return Search(text).run(); }

/// A text converted to UTF-8, without its byte order mark.
struct Decoded {
    std::string text; ///< The whole text, or the text before the fault.
    std::string fault; ///< Description of the fault, for example "what follows is not UTF-8"; empty if there is no fault.
};

using namespace std::string_view_literals;

constexpr std::size_t LongestName = 40;
constexpr std::string_view NameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-:";

struct Encoding {
    std::string name;
    std::size_t begin = 0; ///< Offset of the first byte after the byte order mark.
};

/// Returns the encoding in the XML declaration; empty if none is declared.
std::string_view declaredIn(std::string_view bytes)
{
    if (!bytes.starts_with("<?xml"))
        return {};
    const std::string_view declaration = bytes.substr(0, bytes.find("?>"));
    constexpr std::string_view Attribute = "encoding";
    std::size_t at = declaration.find(Attribute);
    if (at == std::string_view::npos)
        return {};
    at = declaration.find_first_of("\"'", at + Attribute.size());
    if (at == std::string_view::npos)
        return {};
    const std::size_t end = declaration.find(declaration[at], at + 1);
    return end == std::string_view::npos ? std::string_view() : declaration.substr(at + 1, end - at - 1);
}

/// True for encodings with two or four bytes per character. The declaration was readable as single bytes, so the text cannot have such an
/// encoding, whatever the declaration says.
bool isWide(std::string_view name)
{
    constexpr std::array Wide{"utf-16"sv, "utf16"sv, "utf-32"sv, "utf32"sv, "ucs"sv, "iso-10646"sv, "csucs"sv, "csunicode"sv, "unicode"sv};
    return std::ranges::any_of(
        Wide, [name](std::string_view it) { return name.size() >= it.size() && ::strncasecmp(name.data(), it.data(), it.size()) == 0; });
}

Encoding encodingOf(std::string_view bytes)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> Marks{
        {{"\xef\xbb\xbf"sv, "UTF-8"sv}, {"\xff\xfe"sv, "UTF-16LE"sv}, {"\xfe\xff"sv, "UTF-16BE"sv}}};
    for (const auto& [mark, name] : Marks)
        if (bytes.starts_with(mark))
            return {std::string(name), mark.size()};
    if (bytes.starts_with("<\0"sv))
        return {"UTF-16LE", 0};
    if (bytes.starts_with("\0<"sv))
        return {"UTF-16BE", 0};
    const std::string_view declared = declaredIn(bytes);
    return {declared.empty() || isWide(declared) ? "UTF-8" : std::string(declared), 0};
}

/// Owner of an iconv descriptor.
class Converter {
public:
    explicit Converter(const std::string& from)
        : m_to(from.size() <= LongestName && from.find_first_not_of(NameCharacters) == std::string::npos
                   ? ::iconv_open("UTF-8", from.c_str())
                   : Closed)
    {
    }
    ~Converter()
    {
        if (isOpen())
            ::iconv_close(m_to);
    }
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;

    bool isOpen() const { return m_to != Closed; }
    /// Converts the next bytes and appends them to `out`. Returns false if the bytes are not valid in the encoding.
    bool append(std::string_view bytes, std::string& out)
    {
        std::array<char, 8192> some;
        char* in = const_cast<char*>(bytes.data()); // iconv() only reads the input, although its parameter is not const.
        for (std::size_t left = bytes.size(); left > 0;) {
            char* to = some.data();
            std::size_t room = some.size();
            const bool isDone = ::iconv(m_to, &in, &left, &to, &room) != static_cast<std::size_t>(-1);
            const int error = errno;
            out.append(some.data(), some.size() - room);
            if (!isDone && error != E2BIG)
                return false;
        }
        return true;
    }

private:
    static inline const iconv_t Closed = reinterpret_cast<iconv_t>(-1);
    const iconv_t m_to;
};

/// Converts the bytes of an XML file to UTF-8. The encoding is taken from the byte order mark, else from the XML declaration, else it is
/// UTF-8 (XML 1.0, appendix F).
/// Cost: linear; needs memory of about twice the text's size.
Decoded toUtf8(std::string_view bytes)
{
    const Encoding encoding = encodingOf(bytes);
    Converter converter(encoding.name);
    Decoded decoded;
    if (!converter.isOpen()) {
        decoded.fault = "unknown encoding \"" + encoding.name.substr(0, LongestName) + "\"";
        return decoded;
    }
    decoded.text.reserve(bytes.size());
    if (!converter.append(bytes.substr(encoding.begin), decoded.text))
        decoded.fault = "the text after the declaration is not " + encoding.name;
    return decoded;
}

/// Converts offsets in a text to lines and columns: stores the offset at which each line begins.
class Lines {
public:
    explicit Lines(std::string_view text)
    {
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n')
                m_begins.push_back(i + 1);
    }
    SourcePosition placeOf(std::size_t offset) const
    {
        const auto line = std::ranges::upper_bound(m_begins, offset) - 1;
        return {static_cast<std::uint32_t>(line - m_begins.begin() + 1), static_cast<std::uint32_t>(offset - *line + 1)};
    }

private:
    std::vector<std::size_t> m_begins{0};
};

/// Returns the maximum size of an attribute in bytes; attributes that list names may be larger.
std::size_t mostBytesOf(std::string_view attribute)
{
    const auto lists = {"event", "eventName", "action", "cond", "path"};
    return std::ranges::find(lists, attribute) != lists.end() ? MostList : MostText;
}

/// Copies the nodes of a pugixml document to Elements. Stops if the document exceeds a limit, for example MostDepth or MostElements.
class Copy {
public:
    Copy(const Lines& lines, std::vector<Problem>& warnings)
        : m_lines(lines)
        , m_warnings(warnings)
    {
    }

    /// Copies a document. Returns false if a limit is exceeded; fault() then describes the limit.
    bool takeAll(const pugi::xml_document& from, Element& to)
    {
        const pugi::xml_node root = from.document_element();
        for (const pugi::xml_node& node : from.children())
            if (isText(node))
                warnOfText(node, {});
            else if (node.type() == pugi::node_element && node != root)
                addWarning(m_warnings, {node.name(), {}, {}, placeOf(node)}, "it is outside of the file's first element: ignored");
        return take(root, to, 1);
    }
    const XmlFault& fault() const { return m_fault; }

private:
    static bool isText(const pugi::xml_node& node) { return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata; }

    SourcePosition placeOf(const pugi::xml_node& node) const
    {
        // For an element, pugixml reports the offset of its name, one byte after the "<"; for a text, the offset of its first byte.
        const std::ptrdiff_t before = node.type() == pugi::node_element ? 1 : 0;
        return m_lines.placeOf(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug() - before, 0)));
    }

    void warnOfText(const pugi::xml_node& node, const std::string& parent)
    {
        constexpr std::string_view Blanks = " \t\r\n";
        const std::string_view text = node.value();
        const std::size_t begin = text.find_first_not_of(Blanks);
        if (begin == std::string_view::npos)
            return;
        const std::string_view said = text.substr(begin, text.find_last_not_of(Blanks) + 1 - begin);
        const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
        addWarning(m_warnings, {parent, {}, {}, m_lines.placeOf(offset + begin)},
                   "the text " + inQuotes(said) + " between the tags is ignored");
    }

    /// Copies a node and its children. Returns false if a limit is exceeded; fault() then describes the limit.
    bool take(const pugi::xml_node& from, Element& to, int depth)
    {
        to.place = placeOf(from);
        if (depth > MostDepth)
            return refuse(to.place, "elements are nested more than " + std::to_string(MostDepth) + " deep");
        if (++m_count > MostElements)
            return refuse(to.place, "there are more than " + std::to_string(MostElements) + " elements");
        if (std::string_view(from.name()).size() > MostText)
            return refuse(to.place, "an element's name is longer than " + std::to_string(MostText) + " bytes");
        to.name = from.name();
        for (const pugi::xml_attribute& attribute : from.attributes()) {
            if (++m_attributes > MostAttributes)
                return refuse(to.place, "there are more than " + std::to_string(MostAttributes) + " attributes");
            const std::string_view name = attribute.name(), value = attribute.value();
            if (name.size() > MostText)
                return refuse(to.place, "an attribute's name is longer than " + std::to_string(MostText) + " bytes");
            if (const std::size_t most = mostBytesOf(name); value.size() > most)
                return refuse(to.place, "the attribute \"" + std::string(name) + "\" is longer than " + std::to_string(most) + " bytes");
            to.attributes.emplace_back(name, value);
        }
        for (const pugi::xml_node& child : from.children())
            if (isText(child))
                warnOfText(child, to.name);
            else if (child.type() == pugi::node_element && !take(child, to.children.emplace_back(), depth + 1))
                return false;
        return true;
    }

    bool refuse(SourcePosition place, std::string what)
    {
        m_fault = {place, std::move(what)};
        return false;
    }

    const Lines& m_lines;
    std::vector<Problem>& m_warnings;
    std::size_t m_count = 0;
    std::size_t m_attributes = 0;
    XmlFault m_fault;
};

/// Describes the end tag at the offset.
std::string whichEndTag(std::string_view text, std::size_t offset)
{
    const std::size_t begin = text.substr(0, std::min(offset + 2, text.size())).rfind("</");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find_first_of(" \t\r\n>", begin);
    if (end == std::string_view::npos || end + 1 < offset)
        return "an end tag";
    return "the end tag " + inQuotes(std::string(text.substr(begin, end - begin)) + '>');
}

/// Describes the fault in the text; pugixml's own messages only name the construct that was being parsed.
std::string wordsOf(const pugi::xml_parse_result& result, std::string_view text, std::size_t offset)
{
    switch (result.status) {
    case pugi::status_end_element_mismatch: return whichEndTag(text, offset) + " does not match its start tag, or one is missing";
    case pugi::status_bad_start_element: return "a start tag is malformed";
    case pugi::status_bad_end_element: return "an end tag is malformed";
    case pugi::status_bad_attribute: return "an attribute is malformed";
    case pugi::status_bad_comment: return "a comment does not end";
    case pugi::status_bad_cdata: return "a CDATA section does not end";
    case pugi::status_bad_doctype: return "the document type declaration is malformed";
    case pugi::status_bad_pi: return "a declaration or processing instruction is malformed";
    case pugi::status_unrecognized_tag: return "\"<\" is not followed by a tag";
    case pugi::status_out_of_memory: return "not enough memory";
    default: return "it is not valid XML";
    }
}

} // namespace

const std::string* Element::find(std::string_view attribute) const
{
    const auto found = std::ranges::find(attributes, attribute, &std::pair<std::string, std::string>::first);
    return found != attributes.end() ? &found->second : nullptr;
}

std::string_view Element::text(std::string_view attribute) const
{
    const std::string* found = find(attribute);
    return found ? std::string_view(*found) : std::string_view();
}

const Element* Element::child(std::string_view wanted) const
{
    const auto found = std::ranges::find(children, wanted, &Element::name);
    return found != children.end() ? &*found : nullptr;
}

std::variant<Element, XmlFault> readXml(std::string_view text, std::vector<Problem>& warnings)
{
    if (text.size() > MostBytes)
        return XmlFault{{}, "it is larger than " + std::to_string(MostBytes >> 20) + " MiB"};
    const Decoded decoded = toUtf8(text);
    text = decoded.text;
    const Lines lines(text);
    if (!decoded.fault.empty())
        return XmlFault{lines.placeOf(text.size()), decoded.fault};
    if (const auto fault = findEntityFault(text))
        return XmlFault{lines.placeOf(fault->offset), fault->what};
    pugi::xml_document document;
    // parse_fragment keeps text outside of the root, so that a warning can report it.
    const auto result = document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_fragment, pugi::encoding_utf8);
    const std::size_t offset = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), text.size());
    if (!result)
        return XmlFault{lines.placeOf(offset), wordsOf(result, text, offset)};
    if (!document.document_element())
        return XmlFault{{1, 1}, "there is no element in the file"};
    Element root;
    Copy copy(lines, warnings);
    if (!copy.takeAll(document, root))
        return copy.fault();
    return root;
}

} // namespace helio::xml
