#include "core/experiment/timeline.h"
#include "core/query/filters/expression_tree.h"
#include "core/query/rows/event_thread_resolver.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/field_value.h"

#include <algorithm>

namespace helio {
namespace {

/// A node of an expression bound to one event type: fields are resolved to handles, and comparisons that depend only on the type are
/// constants.
struct BoundNode {
    enum class Kind : std::uint8_t { Constant, Or, And, Not, Integer, Real, Text, Label, Function, Thread, Cpu, Time, Tid, Pid, Anywhere };
    Kind kind = Kind::Constant;
    bool constant = false;
    std::uint32_t left = 0; ///< Left operand, as an index into BoundExpression::nodes; `right` is the right operand.
    std::uint32_t right = 0;
    const ExpressionNode* source = nullptr;
    ExactNumber literal;
    FieldRef field;
    std::vector<FieldRef> texts; ///< Text fields to search; set if `kind` is Anywhere.
    std::vector<FieldRef> addresses; ///< Addresses whose kernel functions are searched by name; set if `kind` is Anywhere.
    /// True if the event may have texts to which no FieldRef can refer (in sequences and variants), so that all its fields must be
    /// searched; set if `kind` is Anywhere.
    bool isDeep = false;
};

struct BoundExpression {
    std::vector<BoundNode> nodes;
    std::uint32_t root = 0;
};

ExactNumber exact(std::int64_t bits, bool isSigned) { return isSigned ? ExactNumber(bits) : ExactNumber(static_cast<std::uint64_t>(bits)); }

/// True for integers that may be the address of a kernel function, whose name the trace may know: unsigned and printed in hexadecimal.
bool isAddress(const FieldType& field)
{
    const auto* const integer = std::get_if<IntegerType>(&field.shape);
    return integer && !integer->isSigned && integer->base == DisplayBase::Hexadecimal && integer->bits >= 32;
}

/// Adds the text fields of a structure, including nested structures, to node.texts, and its addresses to node.addresses. A word without an
/// operator is searched in these fields. Sets node.isDeep if a field may contain texts to which no FieldRef can refer.
void findTexts(const EventType& type, Section section, const FieldType& field, const std::string& path, BoundNode& node)
{
    if (const auto* structure = std::get_if<StructType>(&field.shape)) {
        for (const Member& member : structure->members)
            findTexts(type, section, *member.type, path.empty() ? member.name : path + "." + member.name, node);
        return;
    }
    FieldRef ref(type, section, path);
    if (ref.isValid() && ref.isText()) {
        node.texts.push_back(std::move(ref));
        return;
    }
    if (ref.isValid() && isAddress(field))
        node.addresses.push_back(std::move(ref));
    const bool isScalar = std::holds_alternative<IntegerType>(field.shape) || std::holds_alternative<FloatType>(field.shape)
        || std::holds_alternative<EnumType>(field.shape);
    node.isDeep = node.isDeep || !isScalar;
}

bool hasWord(const FieldValue& value, std::string_view word)
{
    if (const auto* text = std::get_if<std::string>(&value.value))
        return containsWord(*text, word);
    if (const auto* elements = std::get_if<std::vector<FieldValue>>(&value.value))
        return std::any_of(elements->begin(), elements->end(), [&](const FieldValue& element) { return hasWord(element, word); });
    if (const auto* members = std::get_if<std::vector<NamedValue>>(&value.value))
        return std::any_of(members->begin(), members->end(), [&](const NamedValue& member) { return hasWord(member.value, word); });
    return false;
}

/// Binds an expression to one event type.
class Binder {
public:
    Binder(const ParsedExpression& expression, const Timeline& timeline, const TimelineTrace& trace, const EventType& type)
        : m_expression(expression)
        , m_timeline(timeline)
        , m_trace(trace)
        , m_type(type)
    {
        m_bound.root = bind(expression.root());
    }
    BoundExpression take() { return std::move(m_bound); }

private:
    std::uint32_t add(BoundNode node)
    {
        m_bound.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(m_bound.nodes.size() - 1);
    }
    std::uint32_t constant(bool value)
    {
        BoundNode node;
        node.constant = value;
        return add(std::move(node));
    }
    std::uint32_t simple(BoundNode::Kind kind, const ExpressionNode& source)
    {
        BoundNode node;
        node.kind = kind;
        node.source = &source;
        node.literal = source.literal.number;
        return add(std::move(node));
    }

    std::uint32_t bind(std::uint32_t index);
    std::uint32_t bindPair(const ExpressionNode& source);
    std::uint32_t bindNot(const ExpressionNode& source);
    std::uint32_t bindCompare(const ExpressionNode& source);
    std::uint32_t bindTime(const ExpressionNode& source);
    std::uint32_t bindField(const ExpressionNode& source);
    std::uint32_t bindAnywhere(const ExpressionNode& source);

    const ParsedExpression& m_expression;
    const Timeline& m_timeline;
    const TimelineTrace& m_trace;
    const EventType& m_type;
    BoundExpression m_bound;
};

std::uint32_t Binder::bind(std::uint32_t index)
{
    const ExpressionNode& source = m_expression.nodes()[index];
    switch (source.kind) {
    case ExpressionNode::Kind::Or:
    case ExpressionNode::Kind::And: return bindPair(source);
    case ExpressionNode::Kind::Not: return bindNot(source);
    case ExpressionNode::Kind::Compare: return bindCompare(source);
    case ExpressionNode::Kind::Anywhere: return bindAnywhere(source);
    }
    return constant(false);
}

std::uint32_t Binder::bindPair(const ExpressionNode& source)
{
    const bool isOr = source.kind == ExpressionNode::Kind::Or;
    const std::uint32_t left = bind(source.left);
    const auto isConstant = [&](std::uint32_t i) { return m_bound.nodes[i].kind == BoundNode::Kind::Constant; };
    if (isConstant(left))
        return m_bound.nodes[left].constant == isOr ? left : bind(source.right);
    const std::uint32_t right = bind(source.right);
    if (isConstant(right))
        return m_bound.nodes[right].constant == isOr ? right : left;
    BoundNode node;
    node.kind = isOr ? BoundNode::Kind::Or : BoundNode::Kind::And;
    node.left = left;
    node.right = right;
    return add(std::move(node));
}

std::uint32_t Binder::bindNot(const ExpressionNode& source)
{
    const std::uint32_t inner = bind(source.left);
    if (m_bound.nodes[inner].kind == BoundNode::Kind::Constant)
        return constant(!m_bound.nodes[inner].constant);
    BoundNode node;
    node.kind = BoundNode::Kind::Not;
    node.left = inner;
    return add(std::move(node));
}

std::uint32_t Binder::bindCompare(const ExpressionNode& source)
{
    using Scope = FieldName::Scope;
    switch (source.field.scope) {
    case Scope::Name: return constant(compareText(m_type.name, source.op, source.literal));
    case Scope::Host: {
        const bool isKnown = m_trace.host < m_timeline.hosts.size();
        const TimelineHost* host = isKnown ? &m_timeline.hosts[m_trace.host] : nullptr;
        return constant(host && compareNames(host->label, host->look.name, source.op, source.literal));
    }
    case Scope::Thread: return simple(BoundNode::Kind::Thread, source);
    case Scope::Cpu: return simple(BoundNode::Kind::Cpu, source);
    case Scope::Tid: return simple(BoundNode::Kind::Tid, source);
    case Scope::Pid: return simple(BoundNode::Kind::Pid, source);
    case Scope::Time: return bindTime(source);
    case Scope::State:
    // A comparison of state or duration is false, because events have neither.
    case Scope::Elapsed: return constant(false);
    default: return bindField(source);
    }
}

std::uint32_t Binder::bindTime(const ExpressionNode& source)
{
    const std::uint32_t index = simple(BoundNode::Kind::Time, source);
    if (source.literal.kind != Literal::Kind::Number)
        m_bound.nodes[index].literal = ExactNumber(nanoseconds(resolve(source.literal.time, m_timeline.range.begin)));
    return index;
}

std::uint32_t Binder::bindField(const ExpressionNode& source)
{
    FieldRef field = findField(m_type, source.field);
    if (!field.isValid())
        return constant(false);
    const bool wantsText = source.literal.kind == Literal::Kind::Text;
    const auto& shape = field.type()->shape;
    BoundNode::Kind kind;
    if (field.isText() && wantsText)
        kind = BoundNode::Kind::Text;
    else if (std::holds_alternative<EnumType>(shape))
        kind = wantsText ? BoundNode::Kind::Label : BoundNode::Kind::Integer;
    else if (std::holds_alternative<IntegerType>(shape) && !wantsText)
        kind = BoundNode::Kind::Integer;
    else if (wantsText && isAddress(*field.type()) && m_trace.trace->hasKernelFunctions())
        kind = BoundNode::Kind::Function;
    else if (field.isFloat() && !wantsText)
        kind = BoundNode::Kind::Real;
    else
        return constant(false);
    const std::uint32_t index = simple(kind, source);
    m_bound.nodes[index].field = std::move(field);
    return index;
}

std::uint32_t Binder::bindAnywhere(const ExpressionNode& source)
{
    if (containsWord(m_type.name, source.literal.text))
        return constant(true);
    BoundNode node;
    node.kind = BoundNode::Kind::Anywhere;
    node.source = &source;
    for (const Section section : {Section::Payload, Section::EventContext, Section::StreamContext})
        if (const auto& type = m_type.section(section))
            findTexts(m_type, section, *type, {}, node);
    if (!m_trace.trace->hasKernelFunctions())
        node.addresses.clear();
    return node.texts.empty() && node.addresses.empty() && !node.isDeep ? constant(false) : add(std::move(node));
}

class BoundMatcher final : public EventMatcher {
public:
    BoundMatcher(std::shared_ptr<const Expression> expression, const Timeline& timeline, std::uint32_t trace)
        : m_expression(std::move(expression))
        , m_trace(timeline.traces[trace].trace)
        , m_clock(timeline.traces[trace].clock)
        , m_threads(timeline, trace)
    {
        const auto& parsed = static_cast<const ParsedExpression&>(*m_expression);
        for (const auto& type : timeline.traces[trace].trace->eventTypes())
            m_types.push_back(Binder(parsed, timeline, timeline.traces[trace], *type).take());
    }

    bool canMatch(EventTypeId type) const override
    {
        const auto index = static_cast<std::size_t>(type);
        if (index >= m_types.size())
            return false;
        const BoundNode& root = m_types[index].nodes[m_types[index].root];
        return root.kind != BoundNode::Kind::Constant || root.constant;
    }

    bool matches(const EventView& event) override
    {
        const auto index = static_cast<std::size_t>(event.record->type);
        return index < m_types.size() && holds(m_types[index], m_types[index].root, event);
    }

private:
    bool holds(const BoundExpression& bound, std::uint32_t index, const EventView& event) const;
    bool holdsLabel(const BoundNode& node, const EventView& event) const;
    bool holdsAnywhere(const BoundNode& node, const EventView& event) const;
    /// Returns the name of the kernel function at the address in a field; empty if unknown.
    std::string_view functionAt(const FieldRef& field, const EventView& event) const
    {
        const auto address = field.integer(event);
        return address ? m_trace->kernelFunction(static_cast<std::uint64_t>(*address)) : std::string_view();
    }

    static bool compare(const std::optional<std::int64_t>& value, const BoundNode& node, bool isSigned = true)
    {
        return value && compareNumber(exact(*value, isSigned), node.source->op, node.literal);
    }

    std::shared_ptr<const Expression> m_expression;
    std::shared_ptr<const Trace> m_trace;
    ClockTransform m_clock;
    EventThreadResolver m_threads;
    std::vector<BoundExpression> m_types; ///< Expressions bound to each event type, indexed by EventTypeId.
};

bool BoundMatcher::holds(const BoundExpression& bound, std::uint32_t index, const EventView& event) const
{
    const BoundNode& node = bound.nodes[index];
    switch (node.kind) {
    case BoundNode::Kind::Constant: return node.constant;
    case BoundNode::Kind::Or: return holds(bound, node.left, event) || holds(bound, node.right, event);
    case BoundNode::Kind::And: return holds(bound, node.left, event) && holds(bound, node.right, event);
    case BoundNode::Kind::Not: return !holds(bound, node.left, event);
    case BoundNode::Kind::Integer: return compare(node.field.integer(event), node, node.field.isSigned());
    case BoundNode::Kind::Real: {
        const auto value = node.field.number(event);
        return value && compareNumber(*value, node.source->op, node.literal);
    }
    case BoundNode::Kind::Text: return compareText(node.field.text(event), node.source->op, node.source->literal);
    case BoundNode::Kind::Function: {
        const std::string_view name = functionAt(node.field, event);
        return !name.empty() && compareText(name, node.source->op, node.source->literal);
    }
    case BoundNode::Kind::Label: return holdsLabel(node, event);
    case BoundNode::Kind::Thread: {
        const std::string_view name = m_threads.name(event);
        return !name.empty() && compareText(name, node.source->op, node.source->literal);
    }
    case BoundNode::Kind::Cpu: return event.cpu() >= 0 && compare(event.cpu(), node);
    case BoundNode::Kind::Time: return compare(nanoseconds(m_clock(event.time())), node);
    case BoundNode::Kind::Tid: return compare(m_threads.tid(event), node);
    case BoundNode::Kind::Pid: return compare(m_threads.pid(event), node);
    case BoundNode::Kind::Anywhere: return holdsAnywhere(node, event);
    }
    return false;
}

/// Compares the labels of an enumeration's value with a text. True if any label matches; for !=, true if there is at least one label and
/// all labels differ.
bool BoundMatcher::holdsLabel(const BoundNode& node, const EventView& event) const
{
    const auto value = node.field.integer(event);
    if (!value)
        return false;
    const auto& type = std::get<EnumType>(node.field.type()->shape);
    const auto covers = [&](const EnumRange& range) {
        if (type.container.isSigned)
            return range.first <= *value && *value <= range.last;
        const auto number = static_cast<std::uint64_t>(*value);
        return static_cast<std::uint64_t>(range.first) <= number && number <= static_cast<std::uint64_t>(range.last);
    };
    const bool isNegated = node.source->op == CompareOp::NotEqual;
    const CompareOp op = isNegated ? CompareOp::Equal : node.source->op;
    bool hasLabel = false;
    for (const EnumRange& range : type.ranges) {
        if (!covers(range))
            continue;
        hasLabel = true;
        if (compareText(range.label, op, node.source->literal))
            return !isNegated;
    }
    return isNegated && hasLabel;
}

bool BoundMatcher::holdsAnywhere(const BoundNode& node, const EventView& event) const
{
    const std::string& word = node.source->literal.text;
    if (std::any_of(node.texts.begin(), node.texts.end(), [&](const FieldRef& text) { return containsWord(text.text(event), word); }))
        return true;
    if (std::any_of(node.addresses.begin(), node.addresses.end(),
                    [&](const FieldRef& address) { return containsWord(functionAt(address, event), word); }))
        return true;
    if (!node.isDeep)
        return false;
    const auto fields = decodeSection(event, Section::Payload);
    const auto context = decodeContext(event);
    const auto has = [&](const NamedValue& field) { return hasWord(field.value, word); };
    return std::any_of(fields.begin(), fields.end(), has) || std::any_of(context.begin(), context.end(), has);
}

} // namespace

FieldRef findField(const EventType& type, const FieldName& name)
{
    if (name.scope == FieldName::Scope::Any)
        return FieldRef::find(type, name.path);
    if (name.scope == FieldName::Scope::Payload)
        return FieldRef(type, Section::Payload, name.path);
    FieldRef field(type, Section::EventContext, name.path);
    return field.isValid() ? field : FieldRef(type, Section::StreamContext, name.path);
}

std::unique_ptr<EventMatcher> EventMatcher::make(std::shared_ptr<const Expression> expression, const Timeline& timeline,
                                                 std::uint32_t trace)
{
    return std::make_unique<BoundMatcher>(std::move(expression), timeline, trace);
}

} // namespace helio
