#include "core/sql/dialect/mapped_text.h"

#include <algorithm>

namespace helio::sql {

std::string SourceText::position(std::size_t offset) const
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t lineBegin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const std::string place = "line " + std::to_string(line) + ", column " + std::to_string(before.size() - lineBegin + 1);
    return name.empty() ? place : name + ", " + place;
}

void MappedText::append(std::string_view text, Piece piece)
{
    if (text.empty())
        return;
    piece.begin = m_text.size();
    m_pieces.push_back(std::move(piece));
    m_text += text;
}

void MappedText::append(const MappedText& other)
{
    for (Piece piece : other.m_pieces) {
        piece.begin += m_text.size();
        m_pieces.push_back(std::move(piece));
    }
    m_text += other.m_text;
}

MappedText MappedText::part(std::size_t begin, std::size_t end) const
{
    MappedText result;
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const std::size_t pieceEnd = i + 1 < m_pieces.size() ? m_pieces[i + 1].begin : m_text.size();
        const std::size_t from = std::max(begin, m_pieces[i].begin);
        const std::size_t to = std::min(end, pieceEnd);
        if (from >= to)
            continue;
        Piece piece = m_pieces[i];
        if (piece.isCopy)
            piece.origin += from - piece.begin;
        result.append(std::string_view(m_text).substr(from, to - from), std::move(piece));
    }
    return result;
}

const MappedText::Piece* MappedText::pieceAt(std::size_t offset) const
{
    const auto behind = std::ranges::upper_bound(m_pieces, offset, {}, &Piece::begin);
    return behind == m_pieces.begin() ? nullptr : &*(behind - 1);
}

std::size_t MappedText::origin(std::size_t offset) const
{
    const Piece* const piece = pieceAt(offset);
    return piece ? piece->origin + (piece->isCopy ? offset - piece->begin : 0) : 0;
}

std::string MappedText::position(std::size_t offset, const SourceText& source) const
{
    const Piece* const piece = pieceAt(offset);
    const std::string place = source.position(origin(offset));
    return piece && !piece->macro.empty() ? place + ", in macro " + piece->macro : place;
}

} // namespace helio::sql
