#include "core/event_model/segment_fields.h"
#include "core/query/filters/expression_tree.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>

namespace helio {
namespace {

/// Compares several names: any of them may match; for != none of them may be equal.
bool compareNames(std::span<const std::string> names, const ExpressionNode& node)
{
    const bool isNegated = node.op == CompareOp::NotEqual;
    const CompareOp op = isNegated ? CompareOp::Equal : node.op;
    const auto compare = [&](std::string_view name) { return compareText(name, op, node.literal); };
    return std::ranges::any_of(names, compare) != isNegated;
}

bool compareId(std::int32_t id, const ExpressionNode& node)
{
    return id >= 0 && node.literal.kind != Literal::Kind::Text && compareNumber(std::int64_t(id), node.op, node.literal.number);
}

bool compareTime(const RowFacts& row, const ExpressionNode& node)
{
    const bool isNumber = node.literal.kind == Literal::Kind::Number;
    const ExactNumber moment = isNumber ? node.literal.number : ExactNumber(nanoseconds(resolve(node.literal.time, row.start)));
    return compareNumber(nanoseconds(*row.time), node.op, moment);
}

std::optional<ExactNumber> numberIn(std::string_view text)
{
    const auto parsed = [&](auto number) -> std::optional<ExactNumber> {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return end == text.data() + text.size() && error == std::errc() ? std::optional<ExactNumber>(number) : std::nullopt;
    };
    if (const auto number = parsed(std::int64_t()))
        return number;
    if (const auto number = parsed(std::uint64_t()))
        return number;
    // "inf" is a name, too.
    const bool isWord = text.empty() || (text.front() != '-' && (text.front() < '0' || text.front() > '9'));
    return isWord ? std::nullopt : parsed(double());
}

/// Compares a field of a segment, as text or as the number in it.
bool compareField(std::string_view fields, std::string_view name, const ExpressionNode& node)
{
    // The parser has a fieldOf() of its own.
    const auto value = helio::fieldOf(fields, name);
    if (!value || node.field.scope == FieldName::Scope::Context || node.literal.kind == Literal::Kind::Time)
        return false;
    if (node.literal.kind == Literal::Kind::Text)
        return compareText(*value, node.op, node.literal);
    const auto number = numberIn(*value);
    return number && compareNumber(*number, node.op, node.literal.number);
}

/// Compares a TID, PID or CPU of the row. If the row has none, e.g. a disk's row, the segment's field with that name is used.
bool compareId(std::int32_t id, const char* name, const RowFacts& row, const ExpressionNode& node)
{
    return id >= 0 ? compareId(id, node) : compareField(row.fields, name, node);
}

bool compares(const RowFacts& row, const ExpressionNode& node)
{
    switch (node.field.scope) {
    case FieldName::Scope::Name: return compareNames(row.names.empty() ? std::span(&row.row->label, 1) : std::span(row.names), node);
    case FieldName::Scope::Thread: return !row.threads.empty() && compareNames(row.threads, node);
    case FieldName::Scope::Host: return compareNames(row.host, row.hostName, node.op, node.literal);
    case FieldName::Scope::Cpu: return compareId(row.row->cpu, "cpu", row, node);
    case FieldName::Scope::Tid: return compareId(row.row->tid, "tid", row, node);
    case FieldName::Scope::Pid: return compareId(row.row->pid, "pid", row, node);
    case FieldName::Scope::State: return !row.state.empty() && compareText(row.state, node.op, node.literal);
    case FieldName::Scope::Elapsed: return row.duration && compareNumber(row.duration->count(), node.op, node.literal.number);
    case FieldName::Scope::Time: return row.time && compareTime(row, node);
    default: return compareField(row.fields, node.field.path, node);
    }
}

bool isFound(const RowFacts& row, const std::string& word)
{
    const auto has = [&](std::string_view text) { return containsWord(text, word); };
    if (row.matchesNamesOnly)
        return std::ranges::any_of(row.names, has);
    return has(row.row->label) || has(row.row->id) || std::ranges::any_of(row.names, has) || std::ranges::any_of(row.threads, has);
}

bool holds(const ParsedExpression& expression, std::uint32_t index, const RowFacts& row)
{
    const ExpressionNode& node = expression.nodes()[index];
    switch (node.kind) {
    case ExpressionNode::Kind::Or: return holds(expression, node.left, row) || holds(expression, node.right, row);
    case ExpressionNode::Kind::And: return holds(expression, node.left, row) && holds(expression, node.right, row);
    case ExpressionNode::Kind::Not: return !holds(expression, node.left, row);
    case ExpressionNode::Kind::Compare: return compares(row, node);
    case ExpressionNode::Kind::Anywhere: return isFound(row, node.literal.text);
    }
    return false;
}

} // namespace

bool matches(const Expression& expression, const RowFacts& row)
{
    const auto& parsed = static_cast<const ParsedExpression&>(expression);
    return row.row && holds(parsed, parsed.root(), row);
}

} // namespace helio
