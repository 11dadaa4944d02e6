#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace helio::sql {

/// A text that a user or a module wrote.
struct SourceText {
    std::string name; ///< Name of the text in errors, e.g. "module slices.with_context"; empty for the statements of the user.
    std::string_view text;

    /// Returns a position for messages, e.g. "line 2, column 5". Columns count bytes, from 1.
    std::string position(std::size_t offset) const;
};

/// A rewritten text that knows for each of its bytes which byte of the original text it comes from.
class MappedText {
public:
    const std::string& text() const { return m_text; }
    std::size_t cost() const { return m_text.size() + m_pieces.size() * sizeof(Piece); } ///< Approximate memory in bytes.

    /// Appends `copied`, which stands at `origin` in the original text.
    void appendCopy(std::string_view copied, std::size_t origin) { append(copied, {0, origin, true, {}}); }
    /// Appends a text that stands nowhere in the original text, but was made because of what stands at `origin`. `macro` is the name of
    /// the macro that contains the text; empty if none does.
    void appendMade(std::string_view made, std::size_t origin, std::string_view macro = {})
    {
        append(made, {0, origin, false, std::string(macro)});
    }
    void append(const MappedText& other);
    /// Returns a part of the text.
    MappedText part(std::size_t begin, std::size_t end) const;

    /// Returns the position that a byte of this text comes from, e.g. "line 2, column 5, in macro m".
    std::string position(std::size_t offset, const SourceText& source) const;
    std::size_t origin(std::size_t offset) const;

private:
    struct Piece {
        std::size_t begin = 0; ///< Offset of the piece in the text; the piece ends where the next one begins.
        std::size_t origin = 0; ///< Offset in the original text.
        bool isCopy = true; ///< True if each byte of the piece has an origin of its own; false if all have the same.
        std::string macro;
    };

    void append(std::string_view text, Piece piece);
    const Piece* pieceAt(std::size_t offset) const;

    std::string m_text;
    std::vector<Piece> m_pieces;
};

} // namespace helio::sql
