#include "core/xml_analysis/running/attribute_tree.h"

namespace helio::xml {

AttributeTree::AttributeTree(Texts& texts, TreeListener& listener, StepBudget& effort, std::size_t most)
    : m_texts(texts)
    , m_listener(listener)
    , m_stepBudget(effort)
    , m_most(most)
    , m_nodes(1)
{
}

Quark AttributeTree::find(Quark parent, TextId name) const
{
    const auto found = m_index.find(mixed(parent, name), [&](std::uint32_t i) {
        const Node& node = m_nodes[i + 1];
        return node.parent == parent && node.name == name;
    });
    return found ? *found + 1 : NoQuark;
}

std::string AttributeTree::label(Quark attribute) const
{
    const auto shown = m_shown.find(attribute);
    return shown != m_shown.end() ? m_texts.shown(shown->second) : std::string(m_texts[name(attribute)]);
}

Quark AttributeTree::child(Quark parent, TextId name, const Value* shown)
{
    if (m_nodes.size() >= m_most || m_pathBytes > MostPathBytes) {
        const Quark known = find(parent, name);
        m_refused += known == NoQuark ? 1 : 0;
        return known;
    }
    const Quark at = 1 + m_index.findOrAdd(mixed(parent, name), [&](std::uint32_t i) {
        const Node& node = m_nodes[i + 1];
        return node.parent == parent && node.name == name;
    });
    if (at < m_nodes.size())
        return at;
    Node& node = m_nodes.emplace_back();
    node.parent = parent;
    node.name = name;
    node.since = m_begin;
    node.pathBytes = m_nodes[parent].pathBytes + static_cast<std::uint32_t>(m_texts[name].size() + 1);
    m_pathBytes += node.pathBytes;
    Node& above = m_nodes[parent];
    if (above.lastChild == NoQuark)
        above.firstChild = at;
    else
        m_nodes[above.lastChild].nextSibling = at;
    above.lastChild = at;
    if (shown)
        m_shown.emplace(at, *shown);
    m_listener.onNew(at);
    return at;
}

void AttributeTree::update(Quark attribute, const Value& value)
{
    Node& node = m_nodes[attribute];
    if (node.value == value)
        return;
    node.value = value;
    m_listener.onChange(node.since, attribute, value);
}

void AttributeTree::remove(HostTimestamp at, Quark attribute)
{
    // Use a list instead of recursion, because a hostile file can create very deep trees.
    std::vector<Quark> waiting{attribute};
    std::vector<Quark> order;
    while (!waiting.empty()) {
        const Quark next = waiting.back();
        waiting.pop_back();
        order.push_back(next);
        for (Quark child = firstChild(next); child != NoQuark; child = nextSibling(child))
            waiting.push_back(child);
    }
    m_stepBudget.take(order.size());
    for (auto it = order.rbegin(); it != order.rend(); ++it)
        set(at, *it, {});
}

bool AttributeTree::push(HostTimestamp at, Quark stack, const Value& value)
{
    const Value& depth = m_nodes[stack].value;
    if (!depth.isNull() && depth.type() != Type::Int)
        return false;
    const std::int64_t next = depth.isNull() ? 1 : depth.integer() + 1;
    if (next > MostDepth || next < 1)
        return false;
    const Quark top = childNumbered(stack, next);
    if (top == NoQuark)
        return false;
    set(at, stack, Value::ofInt(static_cast<std::int32_t>(next)));
    set(at, top, value);
    return true;
}

bool AttributeTree::pop(HostTimestamp at, Quark stack)
{
    const Value depth = m_nodes[stack].value;
    if (depth.isNull())
        return true;
    const Quark top = depth.type() == Type::Int && depth.integer() > 0 ? find(stack, m_texts.idOf(depth.integer())) : NoQuark;
    if (top == NoQuark)
        return false;
    set(at, stack, depth.integer() == 1 ? Value() : Value::ofInt(static_cast<std::int32_t>(depth.integer() - 1)));
    remove(at, top);
    return true;
}

bool AttributeTree::popAll(HostTimestamp at, Quark stack)
{
    while (!m_nodes[stack].value.isNull())
        if (!pop(at, stack))
            return false;
    return true;
}

Value AttributeTree::top(Quark stack) const
{
    const Value& depth = m_nodes[stack].value;
    if (depth.type() != Type::Int || depth.integer() < 1)
        return {};
    const Quark top = find(stack, m_texts.idOf(depth.integer()));
    return top == NoQuark ? Value() : value(top);
}

} // namespace helio::xml
