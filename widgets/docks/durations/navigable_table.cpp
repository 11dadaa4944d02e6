#include "widgets/docks/durations/navigable_table.h"

namespace helio {

const NavigableCell& NavigableTable::cellIn(const std::vector<Cell>& line, std::size_t column)
{
    static const Cell none;
    return column < line.size() ? line[column] : none;
}

void NavigableTable::setLines(const std::vector<Column>& columns, std::vector<std::vector<Cell>> lines)
{
    using Line = std::vector<Cell>;
    Columns made;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto isLess = [i](const Line& a, const Line& b) {
            const Cell &left = cellIn(a, i), &right = cellIn(b, i);
            return left.number != right.number ? left.number < right.number : left.text < right.text;
        };
        made.push_back({columns[i].title, [i](const Line& it) { return cellIn(it, i).text; }, columns[i].isNumber, isLess,
                        [i](const Line& it) { return cellIn(it, i).text.toHtmlEscaped(); }});
    }
    setAll(std::move(made), std::move(lines));
}

} // namespace helio
