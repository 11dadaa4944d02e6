#include "core/xml_analysis/reading/rule_reader.h"

#include "core/xml_analysis/event_pattern.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace helio::xml {
namespace {

/// Maximum number of steps of a path including those of its locations. Locations may contain other locations, so the number can grow
/// exponentially.
constexpr std::size_t MostSteps = 1000;
constexpr std::size_t MostStepsOfAll = 2'000'000;
/// Maximum number of comparisons for one lookup in a mapping group, including the mapping groups that it uses.
constexpr std::uint64_t MostMappingCost = 1'000'000;
/// Maximum number of fields; each field is looked up in every event type of a trace.
constexpr std::size_t MostFields = 2000;
constexpr std::size_t MostPatterns = 5000;

std::optional<std::int64_t> integerIn(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    if (isHex)
        text.remove_prefix(2);
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, isHex ? 16 : 10);
    const std::uint64_t most = std::uint64_t(std::numeric_limits<std::int64_t>::max()) + (isNegative ? 1 : 0);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size() || number > most)
        return {};
    return isNegative ? static_cast<std::int64_t>(0 - number) : static_cast<std::int64_t>(number);
}

std::int64_t nanosecondsIn(std::string_view unit)
{
    return unit == "s" ? 1'000'000'000 : unit == "ms" ? 1'000'000 : unit == "us" ? 1000 : 1;
}

/// Returns `value` times `by`, limited to the range of 64 bits.
std::int64_t scaled(std::int64_t value, std::int64_t by)
{
    std::int64_t product = 0;
    if (__builtin_mul_overflow(value, by, &product))
        return value < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    return product;
}

Comparison comparisonIn(std::string_view text)
{
    return text == "ne" ? Comparison::NotEqual
        : text == "ge"  ? Comparison::GreaterOrEqual
        : text == "gt"  ? Comparison::Greater
        : text == "le"  ? Comparison::LessOrEqual
        : text == "lt"  ? Comparison::Less
                        : Comparison::Equal;
}

Type typeIn(std::string_view text)
{
    return text == "int"   ? Type::Int
        : text == "long"   ? Type::Long
        : text == "double" ? Type::Double
        : text == "string" ? Type::String
                           : Type::Null;
}

} // namespace

RuleReader::RuleReader(Program& program, const Element& owner, std::vector<Problem>& problems)
    : m_program(program)
    , m_problems(problems)
    , m_definitions(owner, problems)
{
    readMappings();
}

template <typename Item> std::uint32_t RuleReader::add(std::vector<Item>& list, Item item)
{
    list.push_back(std::move(item));
    return static_cast<std::uint32_t>(list.size() - 1);
}

void RuleReader::readMappings()
{
    for (const Element* group : m_definitions.mappingGroups())
        m_program.mappings.push_back({std::string(group->text("id")), {}});
    for (; m_knownMappings < m_program.mappings.size(); ++m_knownMappings)
        readMapping(m_knownMappings, *m_definitions.mappingGroups()[m_knownMappings]);
}

void RuleReader::readMapping(std::size_t group, const Element& element)
{
    std::uint64_t cost = 0;
    for (const Element& entry : element.children) {
        const ValueIndex from = value(entry.children[0]);
        const ValueIndex to = value(entry.children[1]);
        m_program.mappings[group].entries.emplace_back(from, to);
        for (const ValueIndex it : {from, to}) {
            const std::uint32_t other = m_program.values[it].mapping;
            cost += 1 + (other < m_mappingCosts.size() ? m_mappingCosts[other] : 0);
        }
    }
    if (cost > MostMappingCost) {
        addError(m_problems, element, "too many values, with the mapping groups that it uses");
        cost = 0;
    }
    m_mappingCosts.push_back(cost);
}

FieldIndex RuleReader::field(std::string_view name)
{
    const auto [found, isNew] = m_fields.try_emplace(std::string(name), static_cast<FieldIndex>(m_program.fields.size()));
    if (isNew)
        m_program.fields.emplace_back(name);
    if (isNew && m_program.fields.size() == MostFields + 1)
        m_problems.push_back({m_program.place, {}, "there are more than " + std::to_string(MostFields) + " fields", false});
    return found->second;
}

PathIndex RuleReader::path(const Element& parent)
{
    Path path;
    path.place = parent.place;
    if (m_pathDepth++ == 0)
        m_steps = 0;
    addSteps(parent, path);
    --m_pathDepth;
    // Move the step to the scenario's attribute to the front of the path, because the other steps are below this attribute. Further steps
    // to the scenario are dropped.
    const auto isScenario = [](const PathStep& step) { return step.kind == PathStep::Kind::Scenario; };
    const auto others = std::stable_partition(path.steps.begin(), path.steps.end(), isScenario);
    if (others - path.steps.begin() > 1)
        path.steps.erase(path.steps.begin() + 1, others);
    return add(m_program.paths, std::move(path));
}

void RuleReader::addSteps(const Element& parent, Path& path)
{
    for (const Element& child : parent.children)
        if (child.name == "stateAttribute")
            addStep(child, path);
}

/// Counts one step of the current path. Returns true if this path or all paths together have too many steps, and adds an error the first
/// time.
bool RuleReader::isTooMuch(const Element& element)
{
    ++m_steps;
    ++m_allSteps;
    if (m_steps == MostSteps + 1)
        addError(m_problems, element,
                 "the path has more than " + std::to_string(MostSteps) + " steps, with the locations and queries in it");
    else if (m_allSteps == MostStepsOfAll + 1)
        addError(m_problems, element, "all paths together have more than " + std::to_string(MostStepsOfAll) + " steps");
    return m_steps > MostSteps || m_allSteps > MostStepsOfAll;
}

/// Returns the "value" of a step: for a constant step its name, otherwise the name of the field or the id of the location. Reports an error
/// and returns an empty text if it is missing.
std::string_view RuleReader::readValueAttribute(const Element& element)
{
    const std::string_view text = resolve(element.text("value"));
    if (text.empty())
        addError(m_problems, element, std::string("the attribute \"value\" is ") + (element.find("value") ? "empty" : "missing"));
    else if (text.starts_with('$') && text == element.text("value"))
        addError(m_problems, element, "there is no defined value " + inQuotes(text.substr(1)));
    return text;
}

void RuleReader::addStep(const Element& element, Path& path)
{
    if (isTooMuch(element))
        return;
    const std::string_view type = element.text("type");
    if (type == "constant") {
        const std::string_view name = readValueAttribute(element);
        path.steps.push_back(name == "#CurrentScenario" ? PathStep{PathStep::Kind::Scenario}
                                                        : PathStep{PathStep::Kind::Constant, NoIndex, std::string(name)});
    } else if (type == "eventField")
        path.steps.push_back({PathStep::Kind::Field, field(readValueAttribute(element))});
    else if (type == "eventName")
        path.steps.push_back({PathStep::Kind::EventName});
    else if (type == "query")
        path.steps.push_back({PathStep::Kind::Query, queryPath(element)});
    else if (type == "pool")
        path.steps.push_back({PathStep::Kind::Pool});
    else if (type == "location")
        addLocation(element, path);
    if (!m_program.isPattern && !path.steps.empty()
        && (path.steps.back().kind == PathStep::Kind::Pool || path.steps.back().kind == PathStep::Kind::Scenario))
        addError(m_problems, element, "only patterns have scenarios");
}

void RuleReader::addLocation(const Element& element, Path& path)
{
    const std::string_view id = readValueAttribute(element);
    if (id.empty())
        return;
    const Element* location = m_definitions.location(id);
    if (!location)
        return addError(m_problems, element, "there is no location " + inQuotes(id));
    if (std::ranges::find(m_inside, id) != m_inside.end())
        return addError(m_problems, element, "the location " + inQuotes(id) + " contains itself");
    m_inside.push_back(id);
    addSteps(*location, path);
    m_inside.pop_back();
}

PathIndex RuleReader::queryPath(const Element& element)
{
    if (!element.child("stateAttribute"))
        addError(m_problems, element, "a query needs the path of an attribute");
    return path(element);
}

ValueIndex RuleReader::value(const Element& element)
{
    ValueRule rule;
    rule.place = element.place;
    readKind(element, rule);
    readUse(element, rule);
    return add(m_program.values, std::move(rule));
}

void RuleReader::readKind(const Element& element, ValueRule& rule)
{
    const std::string_view type = element.text("type");
    const std::string_view text = resolve(element.text("value"));
    const bool isPeek = element.text("stack") == "peek"; // "peek" reads the top of a stack, whatever the type of the value.
    if (type == "script" && !isPeek)
        return addError(m_problems, element, "scripts are not supported: use state values and conditions instead");
    if (type == "eventField" && !isPeek) {
        rule.kind = ValueRule::Kind::Field;
        rule.index = field(text);
        if (text.empty())
            addError(m_problems, element, "the attribute \"value\", the name of a field, is missing");
    } else if (type == "eventName" && !isPeek) {
        rule.kind = ValueRule::Kind::EventName;
    } else if (type == "query" || isPeek) {
        rule.kind = ValueRule::Kind::Query;
        rule.index = queryPath(element);
    } else if (const Type constant = typeIn(type); constant != Type::Null) {
        readConstant(element, constant, text, rule.constant);
    }
}

void RuleReader::readUse(const Element& element, ValueRule& rule)
{
    const std::string_view stack = element.text("stack");
    rule.stack = stack == "push" ? StackUse::Push
        : stack == "pop"         ? StackUse::Pop
        : stack == "popAll"      ? StackUse::PopAll
        : stack == "peek"        ? StackUse::Peek
                                 : StackUse::None;
    rule.isIncrement = isTrue(element, "increment");
    rule.isUpdate = isTrue(element, "update");
    const bool changesStack = rule.stack != StackUse::None && rule.stack != StackUse::Peek;
    if (changesStack && (rule.isIncrement || rule.isUpdate))
        addError(m_problems, element, "a value that is pushed onto or popped from a stack can neither be added nor update another value");
    if (element.find("forcedType"))
        rule.forced = typeIn(element.text("forcedType"));
    if (const std::string* mapping = element.find("mappingGroup")) {
        const auto found = std::ranges::find(m_program.mappings, *mapping, &Mapping::id);
        if (found == m_program.mappings.end())
            addError(m_problems, element, "there is no mapping group " + inQuotes(*mapping));
        else if (static_cast<std::size_t>(found - m_program.mappings.begin()) >= m_knownMappings)
            addError(m_problems, element,
                     "the mapping group " + inQuotes(*mapping) + " must be defined before the groups that map values with it");
        else
            rule.mapping = static_cast<std::uint32_t>(found - m_program.mappings.begin());
    }
}

ValueIndex RuleReader::constant(const Element& element, Type type, std::string_view text)
{
    ValueRule rule;
    rule.place = element.place;
    readConstant(element, type, text, rule.constant);
    return add(m_program.values, std::move(rule));
}

bool RuleReader::readConstant(const Element& element, Type type, std::string_view text, Constant& constant)
{
    constant.type = type;
    if (type == Type::String) {
        constant.text = text;
    } else if (type == Type::Int || type == Type::Long) {
        const auto number = integerIn(text);
        const bool fits = number && (type == Type::Long || static_cast<std::int32_t>(*number) == *number);
        if (!fits) {
            addError(m_problems, element,
                     "the attribute \"value\" is " + inQuotes(text) + ", not " + (type == Type::Int ? "an int" : "a long"));
            return false;
        }
        constant.integer = *number;
    } else if (type == Type::Double) {
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), constant.real);
        if (error != std::errc() || stop != text.data() + text.size()) {
            addError(m_problems, element, "the attribute \"value\" is " + inQuotes(text) + ", not a number");
            return false;
        }
    }
    return true;
}

ConditionIndex RuleReader::condition(const Element& parent)
{
    // The grammar allows only one child in this element, unlike in "and" and "or".
    return parent.children.empty() ? NoIndex : oneCondition(parent.children.front());
}

ConditionIndex RuleReader::oneCondition(const Element& element)
{
    Condition made;
    if (element.name == "condition") {
        const std::string& first = element.children.front().name;
        made = first == "timerange"  ? timeRange(element.children.front())
            : first == "elapsedTime" ? elapsed(element.children.front())
                                     : comparison(element);
    } else {
        made.kind = element.name == "and" ? Condition::Kind::And : element.name == "or" ? Condition::Kind::Or : Condition::Kind::Not;
        for (const Element& part : element.children)
            made.parts.push_back(oneCondition(part));
    }
    made.place = element.place;
    return add(m_program.conditions, std::move(made));
}

ValueIndex RuleReader::addQuery(const Element& parent)
{
    ValueRule rule;
    rule.kind = ValueRule::Kind::Query;
    rule.place = parent.place;
    rule.index = path(parent);
    return add(m_program.values, std::move(rule));
}

Condition RuleReader::comparison(const Element& element)
{
    Condition made;
    made.comparison = comparisonIn(element.text("operator"));
    const Element& first = element.children.front();
    if (first.name == "stateAttribute") {
        made.left = addQuery(element);
    } else if (first.name == "field") {
        ValueRule rule;
        rule.kind = ValueRule::Kind::Field;
        rule.place = first.place;
        rule.index = field(resolve(first.text("name")));
        made.left = add(m_program.values, std::move(rule));
    } else {
        made.left = value(first);
    }
    made.right = value(element.children.back());
    return made;
}

Condition RuleReader::timeRange(const Element& element)
{
    const Element& limits = element.children.front();
    const std::int64_t unit = nanosecondsIn(element.text("unit"));
    Condition made;
    made.kind = Condition::Kind::TimeRange;
    made.isOutside = limits.name == "out";
    made.begin = scaled(integerOf(limits, "begin"), unit);
    made.end = scaled(integerOf(limits, "end"), unit);
    return made;
}

Condition RuleReader::elapsed(const Element& element)
{
    const Element& limit = element.children.front();
    Condition made;
    made.kind = Condition::Kind::Elapsed;
    made.comparison = limit.name == "less" ? Comparison::Less : limit.name == "more" ? Comparison::Greater : Comparison::Equal;
    made.since = limit.text("since");
    made.begin = scaled(integerOf(limit, "value"), nanosecondsIn(element.text("unit")));
    if (!m_program.isPattern)
        addError(m_problems, element, "only patterns have scenarios");
    return made;
}

ChangeIndex RuleReader::change(const Element& element)
{
    Change made;
    made.place = element.place;
    if (const Element* condition = element.child("if")) {
        made.condition = this->condition(*condition);
        made.then = change(*element.child("then"));
        if (const Element* otherwise = element.child("else"))
            made.otherwise = change(*otherwise);
    } else {
        made.path = path(element);
        made.value = value(*element.child("stateValue"));
        if (const Element* futureTime = element.child("futureTime"))
            made.futureTime = value(*futureTime);
    }
    return add(m_program.changes, std::move(made));
}

/// Adds `patterns` to the number of event names read so far. Returns true if the number exceeds MostPatterns; the first time, also adds an
/// error.
bool RuleReader::areTooMany(const Element& element, std::size_t patterns)
{
    const bool wereTooMany = m_patterns > MostPatterns;
    m_patterns += patterns;
    if (m_patterns > MostPatterns && !wereTooMany)
        addError(m_problems, element, "all together have more than " + std::to_string(MostPatterns) + " names of events");
    return m_patterns > MostPatterns;
}

EventNames RuleReader::anyEvent(const Element& element)
{
    areTooMany(element, 1);
    return {};
}

EventNames RuleReader::eventNames(const Element& element, std::string_view text)
{
    EventNames names;
    std::vector<std::string> patterns = eventPatterns(text);
    if (areTooMany(element, patterns.size()))
        return names;
    for (std::string& pattern : patterns) {
        if (const std::string fault = findPatternFault(pattern); !fault.empty())
            addError(m_problems, element, "the event name " + inQuotes(text) + " is not a valid regular expression: " + fault);
        else
            names.patterns.push_back(std::move(pattern));
    }
    return names;
}

} // namespace helio::xml
