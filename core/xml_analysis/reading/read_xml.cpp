#include "core/xml_analysis/reading/definitions.h"
#include "core/xml_analysis/reading/element.h"
#include "core/xml_analysis/reading/encoding.h"
#include "core/xml_analysis/reading/entities.h"

#include <algorithm>
#include <pugixml.hpp>

namespace helio::xml {

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

namespace {

/// Offsets at which the lines of a text begin.
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

/// Returns the maximum length of an attribute; attributes that list names may be longer.
std::size_t mostBytesOf(std::string_view attribute)
{
    const auto lists = {"event", "eventName", "action", "cond", "path"};
    return std::ranges::find(lists, attribute) != lists.end() ? MostList : MostText;
}

/// Copies the nodes of a pugixml document to elements, within the limits.
class Copy {
public:
    Copy(const Lines& lines, std::vector<Problem>& warnings)
        : m_lines(lines)
        , m_warnings(warnings)
    {
    }

    /// Returns false if a limit is exceeded; fault() then says which.
    bool takeAll(const pugi::xml_document& from, Element& to)
    {
        const pugi::xml_node root = from.document_element();
        for (const pugi::xml_node& node : from.children())
            if (isText(node))
                warnOfText(node, {});
            else if (node.type() == pugi::node_element && node != root)
                addWarning(m_warnings, {node.name(), {}, {}, placeOf(node)},
                           "it stands beside the file's first element, so it is not read");
        return take(root, to, 1);
    }
    const XmlFault& fault() const { return m_fault; }

private:
    static bool isText(const pugi::xml_node& node) { return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata; }

    SourcePosition placeOf(const pugi::xml_node& node) const
    {
        // pugixml gives the offset of the element's name, or of the text.
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
                   "the text " + inQuotes(said) + " between the tags means nothing");
    }

    /// Returns false if a limit is exceeded; fault() then says which.
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

/// Returns words for the end tag at the offset.
std::string whichEndTag(std::string_view text, std::size_t offset)
{
    const std::size_t begin = text.substr(0, std::min(offset + 2, text.size())).rfind("</");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find_first_of(" \t\r\n>", begin);
    if (end == std::string_view::npos || end + 1 < offset)
        return "an end tag";
    return "the end tag " + inQuotes(std::string(text.substr(begin, end - begin)) + '>');
}

/// Returns what is wrong in the text; pugixml's own messages only say what the parser met.
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
    case pugi::status_unrecognized_tag: return "\"<\" is followed by something that is no tag";
    case pugi::status_out_of_memory: return "there is not enough memory";
    default: return "it cannot be read as XML";
    }
}

} // namespace

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
    // parse_fragment keeps the text beside the root.
    const auto result = document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_fragment, pugi::encoding_utf8);
    const std::size_t offset = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), text.size());
    if (!result)
        return XmlFault{lines.placeOf(offset), wordsOf(result, text, offset)};
    if (!document.document_element())
        return XmlFault{{1, 1}, "there is no element"};
    Element root;
    Copy copy(lines, warnings);
    if (!copy.takeAll(document, root))
        return copy.fault();
    return root;
}

} // namespace helio::xml
