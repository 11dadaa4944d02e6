#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace helio {

struct ExpressionToken {
    enum class Kind : std::uint8_t { End, Word, Text, Operator, And, Or, Not, Open, Close };
    Kind kind = Kind::End;
    std::string text; ///< Text of the token: a word or operator as written, a quoted text without quotes and escapes.
    std::size_t column = 1; ///< Position of the token in the expression, in characters, from 1.
};

/// Splits an expression into tokens.
class ExpressionTokenizer {
public:
    explicit ExpressionTokenizer(std::string_view text)
        : m_text(text)
    {
    }

    /// Returns the next token. At the end of the expression, every call returns End.
    /// Errors: the text of the error names the column.
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
