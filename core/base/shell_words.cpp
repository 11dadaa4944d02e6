#include "core/base/shell_words.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace helio {

std::string shellQuoted(std::string_view word)
{
    constexpr std::string_view Plain = "-_./:=,+%@";
    const auto isPlain = [&](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 128 && std::isalnum(byte)) || Plain.find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + '\'';
}

std::string shellLine(std::span<const std::string> words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + shellQuoted(word);
    return line;
}

Result<std::vector<std::string>> splitShellLine(std::string_view line)
{
    std::vector<std::string> words;
    std::string word;
    bool isInWord = false;
    char quote = 0; // The quote that encloses the current character; 0 if none.
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool isEscape = c == '\\' && quote != '\'';
        if (isEscape && i + 1 == line.size())
            return Error{Error::Kind::Usage, "the line ends with a backslash"};
        if (isEscape) {
            const char next = line[++i];
            if (quote == '"' && std::string_view("\"\\$`").find(next) == std::string_view::npos)
                word += c;
            word += next;
            isInWord = true;
        } else if (quote != 0 ? c == quote : c == '\'' || c == '"') {
            quote = quote != 0 ? 0 : c;
            isInWord = true;
        } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
            if (std::exchange(isInWord, false))
                words.push_back(std::move(word));
            word.clear();
        } else {
            word += c;
            isInWord = true;
        }
    }
    if (quote != 0)
        return Error{Error::Kind::Usage, std::string("a quote (") + quote + ") is not closed"};
    if (isInWord)
        words.push_back(std::move(word));
    return words;
}

} // namespace helio
