#include "core/trace/fields/struct_layout.h"

#include "core/trace/fields/layout_emitter.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::size_t MaxTargets = 256;

bool isLess(std::int64_t a, std::int64_t b, bool isSigned)
{
    return isSigned ? a < b : static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
}

} // namespace

std::uint32_t StructLayout::option(std::uint32_t table, std::int64_t tag) const
{
    const OptionTable& t = m_tables[table];
    for (const OptionRange& range : t.ranges) {
        if (!isLess(tag, range.first, t.isSigned) && !isLess(range.last, tag, t.isSigned))
            return range.option;
    }
    return LayoutNode::None;
}

namespace {

/// Collects every field that a path leads to, as nodes from the root down.
class PathFinder {
public:
    using Path = std::vector<std::uint32_t>;

    explicit PathFinder(const StructLayout& layout)
        : m_layout(layout)
    {
    }

    std::vector<Path> find(std::span<const std::string> names)
    {
        descend(0, names);
        return std::move(m_found);
    }

private:
    void descend(std::uint32_t index, std::span<const std::string> names)
    {
        if (m_found.size() >= MaxTargets)
            return;
        m_path.push_back(index);
        const LayoutNode& node = m_layout.node(index);
        if (const auto* asVariant = std::get_if<VariantType>(&node.type->shape))
            descendVariant(node, *asVariant, names);
        else if (names.empty())
            m_found.push_back(m_path);
        else if (const auto* asStruct = std::get_if<StructType>(&node.type->shape))
            descendStruct(node, *asStruct, names);
        m_path.pop_back();
    }

    void descendStruct(const LayoutNode& node, const StructType& type, std::span<const std::string> names)
    {
        for (std::uint32_t i = 0; i < node.children; ++i) {
            if (type.members[i].name == names.front())
                return descend(node.firstChild + i, names.subspan(1));
        }
    }

    void descendVariant(const LayoutNode& node, const VariantType& type, std::span<const std::string> names)
    {
        for (std::uint32_t i = 0; i < node.children; ++i) {
            if (!names.empty() && type.options[i].name == names.front())
                return descend(node.firstChild + i, names.subspan(1));
        }
        for (std::uint32_t i = 0; i < node.children; ++i)
            descend(node.firstChild + i, names);
    }

    const StructLayout& m_layout;
    Path m_path;
    std::vector<Path> m_found;
};

/// False if no path that begins with this name leads to a field. Most lookups are for fields of other events: they need no search, and no
/// copies of names.
bool mayLead(const FieldType& root, std::string_view name)
{
    const auto* const asStruct = std::get_if<StructType>(&root.shape);
    return !asStruct || std::ranges::find(asStruct->members, name, &Member::name) != asStruct->members.end();
}

} // namespace

FieldLocator StructLayout::locate(std::span<const std::string> names) const
{
    FieldLocator locator;
    if (!m_isUsable || names.empty())
        return locator;
    const auto paths = PathFinder(*this).find(names);
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
        FieldLocator next;
        next.m_layout = this;
        next.m_node = path->back();
        next.m_section = m_section;
        LayoutEmitter constant(*this, m_alignment, false);
        constant.emitUpTo(*path);
        if (constant.isConstant())
            next.m_offset = constant.pending();
        LayoutEmitter exact(*this, m_alignment);
        exact.emitUpTo(*path);
        next.m_block = exact.finish();
        if (locator.isValid())
            next.m_next = std::make_shared<const FieldLocator>(std::move(locator));
        locator = std::move(next);
    }
    return locator;
}

FieldLocator StructLayout::locate(std::string_view dottedPath) const
{
    if (!m_isUsable || !mayLead(*m_nodes.front().type, dottedPath.substr(0, dottedPath.find('.'))))
        return {};
    std::vector<std::string> names;
    while (!dottedPath.empty()) {
        const std::size_t dot = std::min(dottedPath.find('.'), dottedPath.size());
        names.emplace_back(dottedPath.substr(0, dot));
        dottedPath.remove_prefix(std::min(dot + 1, dottedPath.size()));
    }
    return locate(names);
}

namespace {

bool sharesLayout(const EventType& type, const EventType& like, Section upTo)
{
    for (std::size_t i = 0; i <= static_cast<std::size_t>(upTo); ++i) {
        if (type.section(static_cast<Section>(i)) != like.section(static_cast<Section>(i)))
            return false;
    }
    return true;
}

} // namespace

std::size_t compileLayouts(EventType& type, const EventType* like, std::size_t maxNodes)
{
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < type.layouts.size(); ++i) {
        const auto section = static_cast<Section>(i);
        if (like && sharesLayout(type, *like, section)) {
            type.layouts[i] = like->layouts[i];
        } else if (type.section(section)) {
            type.layouts[i] = std::make_shared<const StructLayout>(type, section, maxNodes - nodes);
            nodes += std::min(type.layouts[i]->nodeCount(), maxNodes - nodes);
        }
    }
    return nodes;
}

bool isText(const FieldType& type)
{
    const TextEncoding encoding = encodingOf(type);
    return encoding != TextEncoding::None && codeUnitBytes(encoding) == 1;
}

TextEncoding encodingOf(const FieldType& type)
{
    if (const auto* asString = std::get_if<StringType>(&type.shape))
        return asString->encoding == TextEncoding::None ? TextEncoding::Utf8 : asString->encoding;
    const auto* asArray = std::get_if<ArrayType>(&type.shape);
    const auto* asSequence = std::get_if<SequenceType>(&type.shape);
    const auto* asLocated = std::get_if<DataLocType>(&type.shape);
    const FieldType* element = asArray ? asArray->element.get()
        : asSequence                   ? asSequence->element.get()
        : asLocated                    ? asLocated->element.get()
                                       : nullptr;
    const auto* character = element ? std::get_if<IntegerType>(&element->shape) : nullptr;
    return character && character->bits == 8 && element->alignment <= 8 ? character->encoding : TextEncoding::None;
}

} // namespace helio
