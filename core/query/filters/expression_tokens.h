#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace helio {

struct ExpressionToken {
    enum class Kind : std::uint8_t { End, Word, Text, Operator, And, Or, Not, Open, Close };
    Kind kind = Kind::End;
    std::string text; ///< Word or operator as written; text without its quotes and escapes.
    std::size_t column = 1; ///< Position in characters, from 1.
};

/// Splits an expression into tokens, one for each call.
class ExpressionTokenizer {
public:
    explicit ExpressionTokenizer(std::string_view text)
        : m_text(text)
    {
    }

    /// Returns the next token; End again and again at the end.
    /// Errors: the text names the column.
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
