#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace helio {

struct ExpressionToken {
    enum class Kind : std::uint8_t { End, Word, Text, Operator, And, Or, Not, Open, Close };
    Kind kind = Kind::End;
    std::string text; ///< A word or operator as written; a text without its quotes and escapes.
    std::size_t column = 1; ///< In characters, from 1.
};

/// Cuts an expression into tokens, one a call.
class ExpressionTokenizer {
public:
    explicit ExpressionTokenizer(std::string_view text)
        : m_text(text)
    {
    }

    /// The next token; End again and again at the end. Errors name the column.
    Result<ExpressionToken> next();

private:
    Result<ExpressionToken> quoted(ExpressionToken token);
    Result<ExpressionToken> symbol(ExpressionToken token);
    std::size_t column(std::size_t at) const;

    std::string_view m_text;
    std::size_t m_at = 0;
};

Error columnError(std::size_t column, const std::string& what);

} // namespace helio
