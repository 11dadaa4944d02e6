#include "core/query/filters/expression_tree.h"

#include <algorithm>
#include <cstddef>

namespace helio {
namespace {

constexpr std::size_t MaxPattern = 256;
constexpr std::uint64_t MaxRepeats = 1'000; ///< All counted repetitions of a pattern multiplied.
constexpr std::size_t MaxSearched = 65'536;

bool holds(std::partial_ordering order, CompareOp op)
{
    switch (op) {
    case CompareOp::Equal: return order == 0;
    case CompareOp::NotEqual: return order != 0;
    case CompareOp::Less: return order < 0;
    case CompareOp::LessEqual: return order <= 0;
    case CompareOp::Greater: return order > 0;
    case CompareOp::GreaterEqual: return order >= 0;
    default: return false;
    }
}

/// The product of all repetition counts, {n} and {n,m}; capped.
std::uint64_t repeats(std::string_view pattern)
{
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') {
            ++i;
            continue;
        }
        if (pattern[i] != '{')
            continue;
        std::uint64_t number = 0;
        std::uint64_t largest = 1;
        for (++i; i < pattern.size() && pattern[i] != '}'; ++i) {
            const bool isDigit = pattern[i] >= '0' && pattern[i] <= '9';
            number = isDigit ? std::min<std::uint64_t>(number * 10 + std::uint64_t(pattern[i] - '0'), MaxRepeats + 1) : 0;
            largest = std::max(largest, number);
        }
        product = std::min(product * largest, MaxRepeats + 1);
    }
    return product;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

} // namespace

std::partial_ordering compareExactly(const ExactNumber& a, const ExactNumber& b)
{
    return std::visit(
        [](auto x, auto y) -> std::partial_ordering {
            using X = decltype(x);
            using Y = decltype(y);
            if constexpr (std::is_floating_point_v<X> || std::is_floating_point_v<Y>) {
                // Long double holds every 64-bit integer on the machines we know.
                const auto left = static_cast<long double>(x);
                const auto right = static_cast<long double>(y);
                return left <=> right;
            } else {
                if (std::cmp_equal(x, y))
                    return std::partial_ordering::equivalent;
                return std::cmp_less(x, y) ? std::partial_ordering::less : std::partial_ordering::greater;
            }
        },
        a, b);
}

bool compareNumber(const ExactNumber& number, CompareOp op, const ExactNumber& literal)
{
    return holds(compareExactly(number, literal), op);
}

bool compareText(std::string_view text, CompareOp op, const Literal& literal)
{
    if (literal.kind != Literal::Kind::Text)
        return false;
    if (op == CompareOp::Contains)
        return text.find(literal.text) != std::string_view::npos;
    if (op == CompareOp::Matches)
        return literal.pattern && literal.pattern->isFoundIn(text);
    return holds(text <=> std::string_view(literal.text), op);
}

bool compareNames(std::string_view name, std::string_view given, CompareOp op, const Literal& literal)
{
    const bool isIt = compareText(name, op, literal);
    if (given.empty())
        return isIt;
    return op == CompareOp::NotEqual ? isIt && compareText(given, op, literal) : isIt || compareText(given, op, literal);
}

bool containsWord(std::string_view text, std::string_view word)
{
    return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; }) != text.end();
}

Result<TextPattern> TextPattern::make(const std::string& pattern)
{
    const auto problem = [](const std::string& what) { return Error{Error::Kind::Usage, what}; };
    if (pattern.size() > MaxPattern)
        return problem("the pattern is longer than " + std::to_string(MaxPattern) + " characters");
    if (repeats(pattern) > MaxRepeats)
        return problem("the pattern repeats more than " + std::to_string(MaxRepeats) + " times");
    try {
        // The polynomial matcher walks all alternatives at once: no pattern can make it backtrack for hours or overflow the stack.
        return TextPattern(std::regex(pattern, std::regex::ECMAScript | std::regex_constants::__polynomial));
    } catch (const std::regex_error& error) {
        if (error.code() == std::regex_constants::error_complexity || error.code() == std::regex_constants::error_backref)
            return problem("the pattern uses a back reference (\\1), which is not possible here");
        return problem(std::string("the pattern cannot be read: ") + error.what());
    }
}

bool TextPattern::isFoundIn(std::string_view text) const
{
    const auto searched = text.substr(0, MaxSearched);
    try {
        return std::regex_search(searched.begin(), searched.end(), m_regex);
    } catch (const std::regex_error&) {
        return false;
    }
}

} // namespace helio
