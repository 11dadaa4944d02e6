#include "core/counters/formula.h"

#include "core/query/filters/expression_tokens.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace helio {
namespace {

bool isPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':' || (c & 0x80) != 0; }

constexpr std::size_t MostSteps = 256;
constexpr int MostDepth = 64;

} // namespace

/// Recursive-descent parser. Grammar: sum = product {(+|-) product}; product = value {(*|/) value}; value = number | name | ( sum ) | -
/// value
class FormulaParser {
public:
    explicit FormulaParser(std::string_view text) { m_formula.m_text = text; }

    Result<CounterFormula> parse()
    {
        if (auto done = sum(); !done)
            return done.error();
        if (!isAtEnd())
            return problem("expected an operator");
        if (m_formula.m_names.empty())
            return Error{Error::Kind::Usage, "the formula names no counter"};
        return std::move(m_formula);
    }

private:
    using Kind = CounterFormula::Step::Kind;

    Status sum()
    {
        return chain('+', Kind::Add, '-', Kind::Subtract, [this] { return product(); });
    }
    Status product()
    {
        return chain('*', Kind::Multiply, '/', Kind::Divide, [this] { return value(); });
    }

    template <typename Part> Status chain(char one, Kind ofOne, char other, Kind ofOther, const Part& part)
    {
        auto done = part();
        while (done && !isAtEnd() && (text()[m_at] == one || text()[m_at] == other)) {
            const Kind kind = text()[m_at++] == one ? ofOne : ofOther;
            done = part();
            if (done)
                done = add({kind});
        }
        return done;
    }

    Status value()
    {
        if (isAtEnd())
            return problem("expected a value");
        const char c = text()[m_at];
        if (c == '(' || c == '-') {
            if (++m_depth > MostDepth)
                return problem("nested too deeply");
            ++m_at;
            auto done = c == '(' ? sum() : value();
            --m_depth;
            if (!done || c == '-')
                return done ? add({Kind::Negate}) : done;
            if (isAtEnd() || text()[m_at] != ')')
                return problem("missing )");
            ++m_at;
            return Done{};
        }
        return c == '"' ? quoted() : std::isdigit(static_cast<unsigned char>(c)) || c == '.' ? number() : name();
    }

    Status number()
    {
        double number = 0;
        const auto [end, error] = std::from_chars(text().data() + m_at, text().data() + text().size(), number);
        if (error != std::errc() || !std::isfinite(number))
            return problem("not a number");
        m_at = static_cast<std::size_t>(end - text().data());
        return m_at < text().size() && isPartOfName(text()[m_at])
            ? problem("not a number; put names that begin like a number in \"quotes\"")
            : add({Kind::Number, number});
    }

    Status quoted()
    {
        const std::size_t end = text().find('"', m_at + 1);
        if (end == std::string::npos)
            return problem("missing closing \"");
        const std::string name = text().substr(m_at + 1, end - m_at - 1);
        if (name.empty())
            return problem("empty name");
        m_at = end + 1;
        return addName(name);
    }

    Status name()
    {
        const std::size_t begin = m_at;
        while (m_at < text().size() && (isPartOfName(text()[m_at]) || isInName(m_at)))
            ++m_at;
        return m_at == begin ? problem("expected a value") : addName(text().substr(begin, m_at - begin));
    }

    /// True for a "-" between two characters of a name.
    bool isInName(std::size_t at) const
    {
        return text()[at] == '-' && at > 0 && isPartOfName(text()[at - 1]) && at + 1 < text().size() && isPartOfName(text()[at + 1]);
    }

    Status addName(const std::string& name)
    {
        auto& names = m_formula.m_names;
        const auto known = std::ranges::find(names, name);
        const auto index = static_cast<std::uint32_t>(known - names.begin());
        if (known == names.end())
            names.push_back(name);
        return add({Kind::Name, 0, index});
    }

    Status add(const CounterFormula::Step& step)
    {
        m_formula.m_steps.push_back(step);
        return m_formula.m_steps.size() > MostSteps ? problem("the formula is too long") : Status(Done{});
    }

    bool isAtEnd()
    {
        while (m_at < text().size() && std::isspace(static_cast<unsigned char>(text()[m_at])))
            ++m_at;
        return m_at == text().size();
    }

    Error problem(const char* what) const
    {
        const auto isFirstByte = [](char c) { return (c & 0xc0) != 0x80; };
        return columnError(1 + static_cast<std::size_t>(std::ranges::count_if(text().substr(0, m_at), isFirstByte)), what);
    }

    const std::string& text() const { return m_formula.m_text; }

    CounterFormula m_formula;
    std::size_t m_at = 0;
    int m_depth = 0;
};

Result<CounterFormula> CounterFormula::parse(std::string_view text) { return FormulaParser(text).parse(); }

std::optional<double> CounterFormula::value(std::span<const double> numbers) const
{
    using Kind = Step::Kind;
    std::vector<double> stack;
    for (const Step& step : m_steps) {
        if (step.kind == Kind::Number || step.kind == Kind::Name) {
            stack.push_back(step.kind == Kind::Number ? step.number : numbers[step.name]);
            continue;
        }
        const double right = stack.back();
        if (step.kind == Kind::Negate) {
            stack.back() = -right;
            continue;
        }
        stack.pop_back();
        double& left = stack.back();
        switch (step.kind) {
        case Kind::Add: left += right; break;
        case Kind::Subtract: left -= right; break;
        case Kind::Multiply: left *= right; break;
        default: left /= right;
        }
    }
    return std::isfinite(stack.back()) ? std::optional(stack.back()) : std::nullopt;
}

std::optional<int> CounterFormula::power(std::span<const int> ofNames) const
{
    using Kind = Step::Kind;
    std::vector<int> stack;
    for (const Step& step : m_steps) {
        if (step.kind == Kind::Number || step.kind == Kind::Name)
            stack.push_back(step.kind == Kind::Number ? 0 : ofNames[step.name]);
        if (step.kind == Kind::Number || step.kind == Kind::Name || step.kind == Kind::Negate)
            continue;
        const int right = stack.back();
        stack.pop_back();
        const bool isSum = step.kind == Kind::Add || step.kind == Kind::Subtract;
        if (isSum && stack.back() != right)
            return {};
        stack.back() += isSum ? 0 : step.kind == Kind::Multiply ? right : -right;
    }
    return stack.back();
}

bool isNamed(std::string_view title, std::string_view name)
{
    constexpr std::string_view Modifiers = "ukhGHpPSDIWeb";
    const auto isSame = [](char a, char b) { return a == b || ((a == '-' || a == '_') && (b == '-' || b == '_')); };
    if (std::ranges::equal(title, name, isSame))
        return true;
    const std::size_t colon = title.rfind(':');
    const bool hasModifiers = colon != std::string_view::npos && colon + 1 < title.size()
        && title.find_first_not_of(Modifiers, colon + 1) == std::string_view::npos;
    return hasModifiers && std::ranges::equal(title.substr(0, colon), name, isSame);
}

} // namespace helio
