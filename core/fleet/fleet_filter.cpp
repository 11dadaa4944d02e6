#include "core/fleet/fleet_filter.h"

#include "core/query/filters/expression_tree.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace helio::fleet {
namespace {

using Node = ExpressionNode;
using Scope = FieldName::Scope;

/// A text column of the table `trace`.
struct TextColumn {
    std::string_view name;
    std::string FleetTrace::*member;
};
constexpr std::array<TextColumn, 7> TextColumns{{{"host", &FleetTrace::host},
                                                 {"path", &FleetTrace::path},
                                                 {"machine", &FleetTrace::machine},
                                                 {"boot", &FleetTrace::boot},
                                                 {"kernel", &FleetTrace::kernel},
                                                 {"format", &FleetTrace::format},
                                                 {"error", &FleetTrace::error}}};

/// A text of findings.
struct FindingColumn {
    std::string_view name;
    std::string FleetFinding::*member;
};
constexpr std::array<FindingColumn, 3> FindingColumns{
    {{"finding", &FleetFinding::text}, {"finder", &FleetFinding::finder}, {"subject", &FleetFinding::subject}}};

using Number = std::optional<ExactNumber>; ///< nullopt if the trace has no such number.

template <typename Value> Number numberFrom(const std::optional<Value>& value)
{
    return value ? Number(ExactNumber(*value)) : std::nullopt;
}
Number nanosecondsFrom(const std::optional<Duration>& value)
{
    return value ? Number(ExactNumber(std::int64_t(value->count()))) : std::nullopt;
}

/// A number of a trace.
struct NumberColumn {
    std::string_view name;
    Number (*value)(const FleetTrace&);
};
constexpr std::array<NumberColumn, 11> NumberColumns{
    {{"time", [](const FleetTrace& it) { return numberFrom(it.beginNs); }},
     {"begin_ns", [](const FleetTrace& it) { return numberFrom(it.beginNs); }},
     {"duration", [](const FleetTrace& it) { return nanosecondsFrom(it.duration); }},
     {"duration_ns", [](const FleetTrace& it) { return nanosecondsFrom(it.duration); }},
     {"events", [](const FleetTrace& it) { return numberFrom(it.events); }},
     {"lost_events", [](const FleetTrace& it) { return numberFrom(it.lostEvents); }},
     {"gaps", [](const FleetTrace& it) { return it.isReadable ? Number(ExactNumber(it.gaps)) : std::nullopt; }},
     {"cpus", [](const FleetTrace& it) { return numberFrom(it.cpus); }},
     {"cpu_busy_share", [](const FleetTrace& it) { return numberFrom(it.cpuBusyShare); }},
     {"share", [](const FleetTrace& it) { return it.findings.empty() ? Number() : Number(ExactNumber(it.findings.front().share)); }},
     {"explained", [](const FleetTrace& it) {
          return it.findings.empty() ? Number() : Number(ExactNumber(std::int64_t(it.findings.front().explained.count())));
      }}}};

/// A latency that a field names: the longest one ("wakeup"), or a percentile ("wakeup.p99").
struct LatencyField {
    LatencyKind kind;
    bool isP99;
};
std::optional<LatencyField> latencyFieldIn(std::string_view name)
{
    const bool isP99 = name.ends_with(".p99");
    const std::string_view id = isP99 ? name.substr(0, name.size() - 4) : name;
    for (const LatencyKind kind : LatencyKinds)
        if (id == idOf(kind))
            return LatencyField{kind, isP99};
    return {};
}

template <typename Columns> auto columnIn(const Columns& columns, std::string_view name)
{
    const auto found = std::ranges::find_if(columns, [&](const auto& it) { return it.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

bool isColumn(std::string_view name)
{
    return columnIn(TextColumns, name) || columnIn(FindingColumns, name) || columnIn(NumberColumns, name) || latencyFieldIn(name);
}

bool hasTag(const FleetTrace& trace, std::string_view name)
{
    return std::ranges::any_of(trace.tags, [&](const SummaryTag& tag) { return tag.first == name; });
}

/// Evaluates an expression for one trace.
class Evaluation {
public:
    Evaluation(const ParsedExpression& expression, const FleetTrace& trace, Timestamp begin)
        : m_expression(expression)
        , m_trace(trace)
        , m_begin(begin)
    {
    }

    bool holds(std::uint32_t index) const
    {
        const Node& node = m_expression.nodes()[index];
        switch (node.kind) {
        case Node::Kind::Or: return holds(node.left) || holds(node.right);
        case Node::Kind::And: return holds(node.left) && holds(node.right);
        case Node::Kind::Not: return !holds(node.left);
        case Node::Kind::Compare: return compares(node);
        case Node::Kind::Anywhere: return isFound(node.literal.text);
        }
        return false;
    }

private:
    bool compares(const Node& node) const
    {
        const std::string& name = node.field.path;
        if (const auto* const column = columnIn(TextColumns, name); column && node.field.scope != Scope::Context)
            return !(m_trace.*column->member).empty() && compareText(m_trace.*column->member, node.op, node.literal);
        if (const auto* const column = columnIn(FindingColumns, name); column && node.field.scope != Scope::Context)
            return comparesFindings(node, column->member);
        if (const auto* const column = columnIn(NumberColumns, name); column && node.field.scope != Scope::Context)
            return compares(column->value(m_trace), node);
        if (const auto field = latencyFieldIn(name); field && node.field.scope != Scope::Context) {
            const auto& latency = m_trace.latency(field->kind);
            return latency && compares(ExactNumber(std::int64_t((field->isP99 ? latency->p99 : latency->most).count())), node);
        }
        return std::ranges::any_of(
            m_trace.tags, [&](const SummaryTag& tag) { return tag.first == name && compareText(tag.second, node.op, node.literal); });
    }

    /// True if a finding matches; for !=, if there are findings and all of them differ.
    bool comparesFindings(const Node& node, std::string FleetFinding::*member) const
    {
        const auto isMatch = [&](const FleetFinding& it) { return compareText(it.*member, node.op, node.literal); };
        return node.op == CompareOp::NotEqual ? !m_trace.findings.empty() && std::ranges::all_of(m_trace.findings, isMatch)
                                              : std::ranges::any_of(m_trace.findings, isMatch);
    }

    bool compares(const Number& number, const Node& node) const
    {
        if (!number || node.literal.kind == Literal::Kind::Text)
            return false;
        const bool isTime = node.literal.kind == Literal::Kind::Time;
        const ExactNumber wanted = isTime ? ExactNumber(nanoseconds(resolve(node.literal.time, m_begin))) : node.literal.number;
        return compareNumber(*number, node.op, wanted);
    }

    bool isFound(const std::string& word) const
    {
        const auto has = [&](const std::string& text) { return containsWord(text, word); };
        return std::ranges::any_of(TextColumns, [&](const TextColumn& it) { return has(m_trace.*it.member); })
            || std::ranges::any_of(m_trace.findings,
                                   [&](const FleetFinding& it) {
                                       return std::ranges::any_of(FindingColumns,
                                                                  [&](const FindingColumn& column) { return has(it.*column.member); });
                                   })
            || std::ranges::any_of(m_trace.tags, [&](const SummaryTag& tag) { return has(tag.first) || has(tag.second); });
    }

    const ParsedExpression& m_expression;
    const FleetTrace& m_trace;
    Timestamp m_begin;
};

Timestamp firstBegin(const FleetTable& table)
{
    std::optional<std::int64_t> first;
    for (const FleetTrace& it : table.traces)
        if (it.beginNs && (!first || *it.beginNs < *first))
            first = it.beginNs;
    return Timestamp(Duration(first.value_or(0)));
}

/// Returns the indexes of the newest trace of each host among `traces`.
std::vector<std::uint32_t> newestOfHosts(const FleetTable& table, std::span<const std::uint32_t> traces)
{
    std::unordered_map<std::string_view, std::uint32_t> newest;
    for (const std::uint32_t i : traces) {
        const auto [found, isNew] = newest.try_emplace(table.traces[i].name(), i);
        if (!isNew && table.traces[i].beginNs > table.traces[found->second].beginNs)
            found->second = i;
    }
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t i : traces)
        if (newest[table.traces[i].name()] == i)
            kept.push_back(i);
    return kept;
}

} // namespace

Result<FleetExpression> FleetExpression::parse(std::string_view text, const FleetTable& table)
{
    FleetExpression expression;
    if (text.find_first_not_of(" \t\n") == std::string_view::npos)
        return expression;
    auto parsed = Expression::parse(text);
    if (!parsed)
        return parsed.error();
    for (const Node& node : static_cast<const ParsedExpression&>(**parsed).nodes()) {
        const std::string& name = node.field.path;
        if (node.kind != Node::Kind::Compare || isColumn(name))
            continue;
        if (std::ranges::none_of(table.traces, [&](const FleetTrace& it) { return hasTag(it, name); }))
            return Error{Error::Kind::Usage,
                         "no trace has a column or tag \"" + name
                             + "\"; columns are host, path, machine, kernel, time, duration, finding, finder, share, explained, wakeup, "
                               "syscall, block, cpu_busy_share, lost_events, error"};
    }
    expression.m_expression = std::move(*parsed);
    expression.m_begin = firstBegin(table);
    return expression;
}

bool FleetExpression::matches(const FleetTrace& trace) const
{
    if (!m_expression)
        return true;
    const auto& parsed = static_cast<const ParsedExpression&>(*m_expression);
    return Evaluation(parsed, trace, m_begin).holds(parsed.root());
}

Result<std::vector<std::uint32_t>> filterFleet(const FleetTable& table, const FleetConditions& conditions, const std::stop_token& stop)
{
    const auto expression = FleetExpression::parse(conditions.expression, table);
    if (!expression)
        return expression.error();
    std::optional<std::int64_t> newest;
    for (const FleetTrace& it : table.traces)
        newest = std::max(newest, it.beginNs);
    const auto isYoung = [&](const FleetTrace& it) {
        std::int64_t age = 0;
        return !conditions.age || (it.beginNs && !__builtin_sub_overflow(*newest, *it.beginNs, &age) && Duration(age) <= *conditions.age);
    };
    const auto isSlow = [&](const FleetTrace& it) {
        const auto& latency = it.latency(conditions.latencyKind);
        return !conditions.latency || (latency && latency->most >= *conditions.latency);
    };
    const auto hasFinder = [&](const FleetTrace& it) {
        return conditions.finder.empty()
            || std::ranges::any_of(it.findings, [&](const FleetFinding& finding) { return finding.finder == conditions.finder; });
    };
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < table.traces.size(); ++i) {
        if (i % 1024 == 0 && stop.stop_requested())
            return Error{Error::Kind::Cancelled, "cancelled"};
        const FleetTrace& it = table.traces[i];
        if ((conditions.host.empty() || it.name() == conditions.host) && (!conditions.hasFindings || !it.findings.empty()) && hasFinder(it)
            && isSlow(it) && isYoung(it) && expression->matches(it))
            kept.push_back(i);
    }
    return conditions.isNewest ? newestOfHosts(table, kept) : kept;
}

} // namespace helio::fleet
