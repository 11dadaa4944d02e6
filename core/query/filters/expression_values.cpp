#include "core/base/utf8.h"
#include "core/query/filters/expression_tree.h"

#include <algorithm>
#include <re2/re2.h>

namespace helio {
namespace {

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

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

} // namespace

std::partial_ordering compareExactly(const ExactNumber& a, const ExactNumber& b)
{
    return std::visit(
        [](auto x, auto y) -> std::partial_ordering {
            using X = decltype(x);
            using Y = decltype(y);
            if constexpr (std::is_floating_point_v<X> || std::is_floating_point_v<Y>) {
                // Long double holds every 64-bit integer on the supported machines.
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
    RE2::Options options(RE2::Quiet);
    options.set_max_mem(MaxMemory);
    auto characters = std::make_shared<const RE2>(pattern, options);
    options.set_encoding(RE2::Options::EncodingLatin1);
    auto bytes = std::make_shared<const RE2>(pattern, options);
    if (characters->error_code() == RE2::ErrorBadUTF8)
        characters = nullptr;
    const RE2& checked = characters ? *characters : *bytes;
    if (checked.ok() && bytes->ok())
        return TextPattern(std::move(characters), std::move(bytes));
    const std::string& fault = checked.error_arg();
    const bool isBackReference = checked.error_code() == RE2::ErrorBadEscape && fault.size() == 2 && fault[1] >= '1' && fault[1] <= '9';
    return Error{Error::Kind::Usage,
                 isBackReference ? "the pattern uses a back reference (" + fault + "), which is not possible here"
                                 : "the pattern cannot be read: " + checked.error()};
}

bool TextPattern::isFoundIn(std::string_view text) const
{
    const re2::StringPiece searched(text.data(), text.size());
    return RE2::PartialMatch(searched, m_characters && isUtf8(text) ? *m_characters : *m_bytes);
}

} // namespace helio
