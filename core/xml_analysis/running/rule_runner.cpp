#include "core/xml_analysis/running/rule_runner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace helio::xml {
namespace {

std::int64_t truncated(double value)
{
    if (std::isnan(value))
        return 0;
    if (value >= 0x1p63)
        return std::numeric_limits<std::int64_t>::max();
    return value <= -0x1p63 ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(value);
}

std::int64_t longOf(const Value& value) { return value.type() == Type::Double ? truncated(value.real()) : value.integer(); }

/// Converts an integer to a double. Requires: the value is an integer.
double realOf(const Value& value)
{
    // Unsigned and hexadecimal integers are converted as unsigned numbers. This makes a difference only if the highest of the 64 bits is
    // set.
    const bool isUnsigned = value.form() != IntegerNotation::Signed;
    return isUnsigned ? static_cast<double>(static_cast<std::uint64_t>(value.integer())) : static_cast<double>(value.integer());
}

std::int32_t intOf(const Value& value)
{
    if (value.type() != Type::Double)
        return static_cast<std::int32_t>(value.integer());
    return static_cast<std::int32_t>(std::clamp(truncated(value.real()), std::int64_t(INT32_MIN), std::int64_t(INT32_MAX)));
}

/// Number of bytes of compared texts that count as one step.
constexpr std::size_t BytesPerStep = 256;

template <typename Number> int ordered(Number left, Number right) { return left < right ? -1 : left > right ? 1 : 0; }

/// Returns `from` minus `what`, limited to the range of 64 bits.
std::int64_t difference(std::int64_t from, std::int64_t what)
{
    std::int64_t rest = 0;
    if (__builtin_sub_overflow(from, what, &rest))
        return what > 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    return rest;
}

template <typename Number> std::optional<Number> numberIn(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    Number number{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && error == std::errc() && stop == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

bool isTrueFor(Comparison comparison, int order)
{
    switch (comparison) {
    case Comparison::Equal: return order == 0;
    case Comparison::NotEqual: return order != 0;
    case Comparison::GreaterOrEqual: return order >= 0;
    case Comparison::Greater: return order > 0;
    case Comparison::LessOrEqual: return order <= 0;
    case Comparison::Less: return order < 0;
    }
    return false;
}

Value constantOf(const Constant& constant, Texts& texts)
{
    switch (constant.type) {
    case Type::Null: return {};
    case Type::Int: return Value::ofInt(static_cast<std::int32_t>(constant.integer));
    case Type::Long: return Value::ofLong(constant.integer);
    case Type::Double: return Value::ofDouble(constant.real);
    case Type::String: return Value::ofText(texts.idOf(std::string_view(constant.text)));
    }
    return {};
}

} // namespace

std::vector<Diagnostic> RunProblems::diagnostics(const std::string& file) const
{
    std::vector<Diagnostic> all;
    for (const auto& [where, count] : m_counts) {
        const auto& [place, what] = where;
        if (all.size() == MostListed)
            break;
        const std::string line = "line " + std::to_string(place.first) + ", column " + std::to_string(place.second) + ": ";
        all.push_back({Diagnostic::Severity::Warning, "analysis-rule", file, 0, count, line + std::string(what)});
    }
    return all;
}

int compareValues(const Value& left, const Value& right, const Texts& texts)
{
    if (left.isInteger() && right.isNumber())
        return left.type() == Type::Int ? ordered(intOf(left), intOf(right)) : ordered(longOf(left), longOf(right));
    if (left.isText() && right.isText())
        return ordered(left.text() == right.text() ? 0 : texts[left.text()].compare(texts[right.text()]), 0);
    return ordered(texts.printed(left).compare(texts.printed(right)), 0);
}

RuleRunner::RuleRunner(const Program& program, AttributeTree& tree, RunProblems& problems)
    : m_program(program)
    , m_tree(tree)
    , m_problems(problems)
    , m_pools(tree)
    , m_stateName(tree.texts().idOf(std::string_view("state")))
    , m_startTimeName(tree.texts().idOf(std::string_view("startTime")))
{
    Texts& texts = tree.texts();
    for (const Path& path : program.paths) {
        BoundPath& bound = m_paths.emplace_back();
        for (const PathStep& step : path.steps)
            bound.names.push_back(texts.idOf(std::string_view(step.name)));
        const auto first = std::ranges::find_if(path.steps, [](const PathStep& step) { return step.kind != PathStep::Kind::Constant; });
        bound.constants = static_cast<std::size_t>(first - path.steps.begin());
        const auto isOfEvent = [](const PathStep& step) {
            return step.kind != PathStep::Kind::Scenario && step.kind != PathStep::Kind::Pool;
        };
        const auto isConstant = [](const PathStep& step) { return step.kind == PathStep::Kind::Constant; };
        if (first != path.steps.end()) {
            bound.variableKind = first->kind;
            bound.variableIndex = first->index;
        }
        bound.hasSingleVariableStep =
            first != path.steps.end() && isOfEvent(*first) && std::all_of(first + 1, path.steps.end(), isConstant);
    }
    for (const ValueRule& rule : program.values)
        m_values.push_back({constantOf(rule.constant, texts), rule.index, rule.kind, rule.mapping == NoIndex && !rule.forced});
    for (const Change& change : program.changes) {
        const ValueRule* rule = change.path != NoIndex ? &program.values[change.value] : nullptr;
        const bool usesStack = rule && rule->stack != StackUse::None && rule->stack != StackUse::Peek;
        const bool isPlain = rule && !usesStack && !rule->isIncrement && !rule->isUpdate && change.futureTime == NoIndex;
        m_changes.push_back({change.path, change.value, isPlain});
    }
    for (const Condition& condition : program.conditions)
        m_since.push_back(texts.idOf(std::string_view(condition.since)));
    m_providerScenario.slot = Root;
}

void RuleRunner::begin(const EventView& event, const BoundType& type, const CurrentThreads* threads)
{
    ++m_events;
    m_event = &event;
    m_type = &type;
    m_threads = threads;
    m_now = event.time();
    effort().beginEvent();
    runScheduled(m_now);
}

Value RuleRunner::field(FieldIndex index)
{
    const FieldSource& source = m_type->fields[index];
    Value value = source.read(*m_event, m_tree.texts());
    if (source.isCurrentThread() && m_threads)
        if (const auto thread = m_threads->on(m_event->cpu()))
            value = Value::ofInt(static_cast<std::int32_t>(*thread));
    if (value.isNull())
        countMissing(index);
    return value;
}

void RuleRunner::countMissing(FieldIndex index)
{
    RuleStatistics::Missing& missing = m_counted->missing[index];
    missing.events += missing.last != m_events ? 1 : 0;
    missing.last = m_events;
}

Value RuleRunner::foundValue(ValueIndex index, Scenario* scenario)
{
    const BoundValue& bound = m_values[index];
    switch (bound.kind) {
    case ValueRule::Kind::Constant: return bound.constant;
    case ValueRule::Kind::Field: return field(bound.index);
    case ValueRule::Kind::EventName: return Value::ofText(m_type->name);
    case ValueRule::Kind::Query: {
        const Quark found = attribute(bound.index, scenario);
        const bool isPeek = m_program.values[index].stack == StackUse::Peek;
        return found == NoQuark ? Value() : isPeek ? m_tree.top(found) : m_tree.value(found);
    }
    }
    return {};
}

Value RuleRunner::value(ValueIndex index, Scenario* scenario)
{
    Value found = foundValue(index, scenario);
    if (m_values[index].isAsFound)
        return found;
    const ValueRule& rule = m_program.values[index];
    if (rule.mapping != NoIndex)
        found = mapped(rule.mapping, found, scenario);
    return rule.forced ? forced(found, *rule.forced, rule.place) : found;
}

Value RuleRunner::mapped(std::uint32_t mapping, const Value& value, Scenario* scenario)
{
    for (const auto& [from, to] : m_program.mappings[mapping].entries) {
        if (!effort().take())
            break;
        if (this->value(from, scenario) == value)
            return this->value(to, scenario);
    }
    return {};
}

Value RuleRunner::forced(const Value& value, Type type, SourcePosition place)
{
    if (value.isNull() || value.type() == type)
        return value;
    Texts& texts = m_tree.texts();
    if (type == Type::String)
        return Value::ofText(texts.idOf(value));
    if (value.isNumber())
        return type == Type::Int   ? Value::ofInt(intOf(value))
            : type == Type::Long   ? Value::ofLong(longOf(value))
            : type == Type::Double ? Value::ofDouble(realOf(value))
                                   : Value();
    const std::string_view text = texts[value.text()];
    if (type == Type::Int) {
        if (const auto number = numberIn<std::int32_t>(text))
            return Value::ofInt(*number);
    } else if (type == Type::Long) {
        if (const auto number = numberIn<std::int64_t>(text))
            return Value::ofLong(*number);
    } else if (const auto number = numberIn<double>(text)) {
        return Value::ofDouble(*number);
    }
    m_problems.add(place, "a text is not a number and cannot be converted to one: it counts as null");
    return {};
}

Quark RuleRunner::attribute(PathIndex index, Scenario* scenario)
{
    BoundPath& bound = m_paths[index];
    if (bound.known == NoQuark) {
        Quark at = Root;
        for (std::size_t i = 0; i < bound.constants && at != NoQuark; ++i)
            at = m_tree.child(at, bound.names[i]);
        if (at == NoQuark)
            return NoQuark;
        bound.known = at;
    }
    if (!bound.hasSingleVariableStep)
        return walk(bound.known, bound.constants, index, scenario);
    const Value name = nameAt(bound.variableKind, bound.variableIndex, scenario);
    if (name.isNull())
        return NoQuark;
    ChildCacheEntry& known = cacheEntryFor(OfPath | index, name);
    if (known.key == (OfPath | index) && known.value == name)
        return known.child;
    const Quark found = walk(childCalled(bound.known, name), bound.constants + 1, index, scenario);
    if (found != NoQuark)
        known = {OfPath | index, found, name};
    return found;
}

/// Follows the steps of a path, beginning with the step with index `from` at the attribute `at`. Returns the attribute to which the last
/// step leads; NoQuark if a step leads to no attribute.
Quark RuleRunner::walk(Quark at, std::size_t from, PathIndex index, Scenario* scenario)
{
    const Path& path = m_program.paths[index];
    effort().take(path.steps.size() - from);
    for (std::size_t i = from; i < path.steps.size() && at != NoQuark; ++i)
        at = step(at, path.steps[i], m_paths[index].names[i], scenario);
    return at;
}

Quark RuleRunner::step(Quark at, const PathStep& step, TextId name, Scenario* scenario)
{
    switch (step.kind) {
    case PathStep::Kind::Constant: return childCalled(at, Value::ofText(name));
    case PathStep::Kind::Scenario: return scenario ? scenario->slot : Root;
    case PathStep::Kind::Pool: return poolNumber(at, scenario);
    case PathStep::Kind::EventName:
    case PathStep::Kind::Field:
    case PathStep::Kind::Query: return childCalled(at, nameAt(step.kind, step.index, scenario));
    }
    return NoQuark;
}

/// Returns the name to which a variable step leads: a field's value, the event's name, or an attribute's value. Null if the event has
/// no such field or if the attribute does not exist.
Value RuleRunner::nameAt(PathStep::Kind kind, std::uint32_t index, Scenario* scenario)
{
    if (kind == PathStep::Kind::Field)
        return field(index);
    if (kind == PathStep::Kind::EventName)
        return Value::ofText(m_type->name);
    const Quark asked = attribute(index, scenario);
    return asked == NoQuark ? Value() : m_tree.value(asked);
}

/// Returns the child of `at` that is named by the value; NoQuark if the value is null.
Quark RuleRunner::childCalled(Quark at, const Value& value)
{
    if (at == NoQuark || value.isNull())
        return NoQuark;
    ChildCacheEntry& known = cacheEntryFor(at, value);
    if (known.key == at && known.value == value)
        return known.child;
    const Quark child = m_tree.child(at, m_tree.texts().idOf(value), hasUserNotation(value) ? &value : nullptr);
    if (child != NoQuark)
        known = {at, child, value};
    return child;
}

Quark RuleRunner::poolNumber(Quark base, Scenario* scenario)
{
    auto& mine = (scenario ? scenario : &m_providerScenario)->pools;
    effort().take(mine.size() / 16);
    const auto found = std::ranges::find(mine, base, &std::pair<Quark, Quark>::first);
    if (found != mine.end())
        return found->second;
    const Quark number = m_pools.take(base);
    if (number != NoQuark)
        mine.emplace_back(base, number);
    return number;
}

bool RuleRunner::holds(ConditionIndex index, Scenario* scenario)
{
    if (!effort().take())
        return false;
    const Condition& condition = m_program.conditions[index];
    const auto partHolds = [&](ConditionIndex part) { return holds(part, scenario); };
    switch (condition.kind) {
    case Condition::Kind::And: return std::ranges::all_of(condition.parts, partHolds);
    case Condition::Kind::Or: return std::ranges::any_of(condition.parts, partHolds);
    case Condition::Kind::Not: return !partHolds(condition.parts.front());
    case Condition::Kind::Compare: return compare(condition, scenario);
    case Condition::Kind::TimeRange: {
        const std::int64_t at = nanoseconds(m_now);
        return (condition.begin <= at && at <= condition.end) != condition.isOutside;
    }
    case Condition::Kind::Elapsed: {
        const Quark slot = scenario ? scenario->slot : Root;
        const Quark state = m_tree.child(m_tree.child(slot, m_stateName), m_since[index]);
        const Quark since = state == NoQuark ? NoQuark : m_tree.child(state, m_startTimeName);
        const Value start = since == NoQuark ? Value() : m_tree.value(since);
        return start.isInteger()
            && isTrueFor(condition.comparison, ordered(difference(nanoseconds(m_now), start.integer()), condition.begin));
    }
    }
    return false;
}

/// Returns the text of a text field without storing it in Texts, because comparisons need no TextId. Returns nullopt if the value is not a
/// text field, or if it is mapped or converted.
std::optional<std::string_view> RuleRunner::fieldText(ValueIndex index) const
{
    const BoundValue& bound = m_values[index];
    if (bound.kind != ValueRule::Kind::Field || !bound.isAsFound || !m_type->fields[bound.index].isText())
        return {};
    return m_type->fields[bound.index].text(*m_event);
}

bool RuleRunner::compare(const Condition& condition, Scenario* scenario)
{
    const auto leftText = fieldText(condition.left);
    const auto rightText = fieldText(condition.right);
    if (leftText || rightText) {
        const Texts& texts = m_tree.texts();
        const auto printed = [&](ValueIndex index) { return texts.printed(value(index, scenario)); };
        const std::string left = leftText ? std::string(*leftText) : printed(condition.left);
        const std::string right = rightText ? std::string(*rightText) : printed(condition.right);
        effort().take((left.size() + right.size()) / BytesPerStep);
        return isTrueFor(condition.comparison, ordered(left.compare(right), 0));
    }
    const Value left = value(condition.left, scenario);
    const Value right = value(condition.right, scenario);
    for (const Value& side : {left, right})
        if (side.isText())
            effort().take(m_tree.texts()[side.text()].size() / BytesPerStep);
    return isTrueFor(condition.comparison, compareValues(left, right, m_tree.texts()));
}

bool RuleRunner::change(ChangeIndex index, Scenario* scenario)
{
    if (!effort().take())
        return false;
    const BoundChange& bound = m_changes[index];
    if (bound.path == NoIndex)
        return decidedChange(m_program.changes[index], scenario);
    const Quark attribute = this->attribute(bound.path, scenario);
    if (attribute == NoQuark || attribute == Root)
        return false;
    if (bound.isPlain)
        m_tree.set(m_now, attribute, value(bound.value, scenario));
    else
        assign(m_program.changes[index], m_program.values[bound.value], attribute, scenario);
    return true;
}

bool RuleRunner::decidedChange(const Change& change, Scenario* scenario)
{
    const ChangeIndex next = change.condition == NoIndex || holds(change.condition, scenario) ? change.then : change.otherwise;
    return next != NoIndex && this->change(next, scenario);
}

void RuleRunner::assign(const Change& change, const ValueRule& rule, Quark attribute, Scenario* scenario)
{
    Value value = this->value(change.value, scenario);
    const auto future = change.futureTime != NoIndex ? futureTime(change, scenario) : std::nullopt;
    const bool isStack = rule.stack != StackUse::None && rule.stack != StackUse::Peek;
    if (isStack) {
        if (!(future && *future > m_now ? schedule(*future, attribute, rule.stack, value, change.place)
                                        : useStack(m_now, attribute, rule.stack, value)))
            m_problems.add(change.place, "the attribute is not a stack, or the stack is full");
        return;
    }
    if (rule.isIncrement)
        value = incremented(attribute, value, change.place);
    if (rule.isUpdate)
        m_tree.update(attribute, value);
    else if (!future || *future == m_now)
        m_tree.set(m_now, attribute, value);
    else if (*future < m_now)
        m_problems.add(change.place, "the time of a scheduled change is already over: ignored");
    else
        schedule(*future, attribute, StackUse::None, value, change.place);
}

/// Returns the time at which a scheduled change takes effect; nullopt if the change takes effect at once.
std::optional<HostTimestamp> RuleRunner::futureTime(const Change& change, Scenario* scenario)
{
    const Value at = value(change.futureTime, scenario);
    if (at.isNumber())
        return hostTime(longOf(at));
    if (at.isText()) {
        const std::string_view text = m_tree.texts()[at.text()];
        if (const auto number = numberIn<std::int64_t>(text))
            return hostTime(*number);
        if (const auto number = numberIn<double>(text))
            return hostTime(truncated(*number));
    }
    return {};
}

bool RuleRunner::useStack(HostTimestamp at, Quark attribute, StackUse use, const Value& value)
{
    return use == StackUse::Push ? m_tree.push(at, attribute, value)
        : use == StackUse::Pop   ? m_tree.pop(at, attribute)
                                 : m_tree.popAll(at, attribute);
}

bool RuleRunner::schedule(HostTimestamp at, Quark attribute, StackUse use, const Value& value, SourcePosition place)
{
    if (m_scheduled.size() >= MostScheduled) {
        m_problems.add(place, "too many scheduled changes: ignored");
        return true;
    }
    m_scheduled.push({at, m_scheduledCount++, attribute, use, value, place});
    return true;
}

void RuleRunner::runAllScheduled(HostTimestamp until)
{
    while (!m_scheduled.empty() && m_scheduled.top().at <= until && effort().take()) {
        const Scheduled next = m_scheduled.top();
        m_scheduled.pop();
        if (next.stack == StackUse::None)
            m_tree.set(next.at, next.attribute, next.value);
        else if (!useStack(next.at, next.attribute, next.stack, next.value))
            m_problems.add(next.place, "the attribute is not a stack, or the stack is full");
    }
}

/// Returns the attribute's current value plus `value`.
Value RuleRunner::incremented(Quark attribute, const Value& value, SourcePosition place)
{
    const Value before = m_tree.value(attribute);
    if (value.isNull() || before.isNull())
        return value;
    if (value.type() != before.type() || !value.isNumber()) {
        m_problems.add(place, "the added value is not of the attribute's type: the attribute is unchanged");
        return before;
    }
    if (value.type() == Type::Double)
        return Value::ofDouble(before.real() + value.real());
    const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(before.integer()) + static_cast<std::uint64_t>(value.integer()));
    return value.type() == Type::Int ? Value::ofInt(static_cast<std::int32_t>(sum)) : Value::ofLong(sum);
}

} // namespace helio::xml
