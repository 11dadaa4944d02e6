#include "widgets/sql/sql_result_model.h"

#include "core/store/track.h"
#include "widgets/controls/menus.h"
#include "widgets/paint/state_bar.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QHeaderView>
#include <QPainter>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <numeric>

namespace helio {

namespace {

constexpr LineMetrics ResultLines{20, 8, 12, 8};
constexpr int SwatchSize = 9;
constexpr int SwatchGap = 6;

struct StateLetter {
    const char* letter;
    const char* words;
    const char* role;
    std::uint8_t height;
};
/// Looks of the states that the kernel's letters name: those of the rows of threads.
constexpr std::array Letters{
    StateLetter{"Running", QT_TR_NOOP("On a CPU"), "thread.running-user", 16},
    StateLetter{"R", QT_TR_NOOP("Runnable, without a CPU"), "thread.wait-cpu", 8},
    StateLetter{"R+", QT_TR_NOOP("Preempted: lost the CPU while runnable"), "thread.preempted", 8},
    StateLetter{"S", QT_TR_NOOP("Sleeping (interruptible)"), "thread.sleeping", 2},
    StateLetter{"D", QT_TR_NOOP("Blocked (uninterruptible)"), "thread.blocked", 6},
    StateLetter{"I", QT_TR_NOOP("Idle kernel thread"), "thread.idle-kthread", 1},
    StateLetter{"T", QT_TR_NOOP("Stopped"), "thread.stopped", 4},
    StateLetter{"t", QT_TR_NOOP("Stopped by a debugger"), "thread.stopped", 4},
    StateLetter{"P", QT_TR_NOOP("Parked"), "thread.parked", 1},
    StateLetter{"X", QT_TR_NOOP("Ended"), "thread.exiting", 12},
    StateLetter{"Z", QT_TR_NOOP("Ended, not yet reaped"), "thread.exiting", 12},
};

const StateLetter* letterOf(const sql::Value& value)
{
    const auto* letter = std::get_if<std::string>(&value);
    const auto found = letter
        ? std::ranges::find(Letters, std::string_view(*letter), [](const StateLetter& it) { return std::string_view(it.letter); })
        : Letters.end();
    return found == Letters.end() ? nullptr : &*found;
}

QString tipOf(const SqlResult& result, std::size_t row, int column, SqlColumnRole role)
{
    const sql::Value& value = result.value(row, column);
    if (std::holds_alternative<std::monostate>(value))
        return SqlResultModel::tr("NULL: not known, or not applicable");
    if (role == SqlColumnRole::State)
        if (const StateLetter* letter = letterOf(value))
            return SqlResultModel::tr(letter->words);
    if (role == SqlColumnRole::Length && result.integer(row, column) == -1)
        return SqlResultModel::tr("-1: the end is not in the recording");
    constexpr qsizetype Most = 2'000;
    const QString raw = rawText(value);
    if (std::holds_alternative<std::string>(value))
        return raw.size() > 24 ? wrapTooltip(raw.left(Most)) : QString();
    return role == SqlColumnRole::Time || role == SqlColumnRole::Length ? SqlResultModel::tr("%1 ns").arg(raw) : QString();
}

/// Returns true if a value contains the text. `lower` is the text in lower case, `digits` the text without spaces between digits.
bool contains(const sql::Value& value, const QString& wanted, const QByteArray& digits)
{
    if (const auto* words = std::get_if<std::string>(&value))
        return text(*words).contains(wanted, Qt::CaseInsensitive);
    if (digits.isEmpty() || std::holds_alternative<std::monostate>(value))
        return false;
    return rawText(value).toLatin1().contains(digits);
}

} // namespace

void SqlResultModel::setResult(std::shared_ptr<const SqlResult> result)
{
    // The lines of the previous result leave first, because they are indexes into it.
    setShown({});
    setAll({}, {});
    sort(-1, Qt::AscendingOrder);
    m_result = std::move(result);
    m_roles.clear();
    m_most.clear();
    Columns columns;
    std::vector<std::uint32_t> lines;
    if (m_result) {
        lines.resize(m_result->rows());
        std::iota(lines.begin(), lines.end(), 0U);
        const SqlResult& it = *m_result;
        for (int column = 0; column < int(it.columns.size()); ++column) {
            const SqlColumnRole role = sqlColumnRole(it.columns[std::size_t(column)]);
            bool areNumbers = false;
            bool areTexts = false;
            double most = 0;
            for (std::size_t row = 0; row < it.rows(); ++row) {
                const sql::Value& value = it.value(row, column);
                areTexts |= std::holds_alternative<std::string>(value);
                if (const auto number = numberOf(value)) {
                    areNumbers = true;
                    most = std::max(most, *number);
                }
            }
            const bool hasBars =
                areNumbers && !areTexts && it.rows() > 1 && (role == SqlColumnRole::Plain || role == SqlColumnRole::Length);
            m_roles.push_back(role);
            m_most.push_back(hasBars ? most : 0);
            TableColumn<std::uint32_t> described;
            described.title = text(it.columns[std::size_t(column)]);
            described.text = [this, column, role](std::uint32_t line) { return shownText(m_result->value(line, column), role, m_format); };
            described.isNumber = areNumbers && !areTexts && role != SqlColumnRole::Time;
            described.isLess = [this, column](std::uint32_t a, std::uint32_t b) {
                return isLess(m_result->value(a, column), m_result->value(b, column));
            };
            described.tip = [this, column, role](std::uint32_t line) { return tipOf(*m_result, line, column, role); };
            described.color = [this, column, role](std::uint32_t line) {
                if (std::holds_alternative<std::monostate>(m_result->value(line, column)))
                    return QStringLiteral("text.disabled");
                return role == SqlColumnRole::Time  ? QStringLiteral("text.link")
                    : role == SqlColumnRole::Length ? QStringLiteral("text.primary")
                                                    : QStringLiteral("text.secondary");
            };
            described.titleTip = text(sql::describeColumn({}, it.columns[std::size_t(column)]));
            columns.push_back(std::move(described));
        }
    }
    setAll(std::move(columns), std::move(lines));
}

void SqlResultModel::setFilter(const QString& filter)
{
    const QString wanted = filter.trimmed();
    if (wanted.isEmpty())
        return setShown({});
    QByteArray digits = wanted.toLatin1().replace(' ', "");
    if (!std::ranges::all_of(digits, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == 'e'; }))
        digits.clear();
    setShown([this, wanted, digits](std::uint32_t line) {
        for (int column = 0; column < int(m_result->columns.size()); ++column)
            if (contains(m_result->value(line, column), wanted, digits))
                return true;
        return false;
    });
}

void SqlResultModel::setFormat(const TimeFormat& format)
{
    m_format = format;
    refreshCells();
}

std::vector<std::size_t> SqlResultModel::listed() const
{
    std::vector<std::size_t> rows;
    for (int row = 0; row < rowCount(); ++row)
        rows.push_back(line(row));
    return rows;
}

int SqlResultModel::rowOf(std::size_t line) const
{
    return findRow([line](std::uint32_t it) { return it == line; });
}

std::optional<double> SqlResultModel::shareOf(const QModelIndex& index) const
{
    const double most = m_most[std::size_t(index.column())];
    const auto number = most > 0 ? numberOf(m_result->value(line(index.row()), index.column())) : std::nullopt;
    return number ? std::optional(std::clamp(*number / most, 0.0, 1.0)) : std::nullopt;
}

std::optional<StateKind> SqlResultModel::stateOf(const QModelIndex& index) const
{
    if (m_roles[std::size_t(index.column())] != SqlColumnRole::State)
        return {};
    const StateLetter* letter = letterOf(m_result->value(line(index.row()), index.column()));
    if (!letter)
        return {};
    StateKind kind;
    kind.name = letter->letter;
    kind.style.color = letter->role;
    kind.style.height = letter->height;
    return kind;
}

QString SqlResultModel::csv() const { return m_result ? sqlCsv(*m_result, listed()) : QString(); }

SqlResultDelegate::SqlResultDelegate(const SqlResultModel& model, QObject* parent)
    : LineDelegate(parent, ResultLines)
    , m_model(model)
{
}

QSize SqlResultDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = LineDelegate::sizeHint(option, index);
    if (m_model.shareOf(index))
        size.rwidth() += BarWidth + 8;
    if (m_model.role(index.column()) == SqlColumnRole::State)
        size.rwidth() += SwatchSize + SwatchGap;
    return size;
}

void SqlResultDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    LineDelegate::paint(painter, option, index);
    if (index.column() == 0 && option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), theme().color("accent.fill"));
}

QRect SqlResultDelegate::paintMarks(QPainter& painter, const QStyleOptionViewItem&, const QModelIndex& index, const QRect& room) const
{
    if (const auto share = m_model.shareOf(index); share && room.width() > BarWidth + 20) {
        constexpr int Height = 8;
        const QRect ground(room.left(), room.top() + (room.height() - Height) / 2, BarWidth, Height);
        painter.fillRect(ground, theme().color("line.faint"));
        painter.fillRect(QRectF(ground.left(), ground.top(), *share * ground.width(), Height), theme().color("mark.bookmark"));
        return room.adjusted(BarWidth + 4, 0, 0, 0);
    }
    if (const auto state = m_model.stateOf(index)) {
        paintSwatch(painter, QRectF(room.left(), room.top() + (room.height() - SwatchSize) / 2, SwatchSize, SwatchSize),
                    theme().lookOf(*state));
        return room.adjusted(SwatchSize + SwatchGap, 0, 0, 0);
    }
    return room;
}

void fitResultColumns(QTreeView& table, int width)
{
    constexpr int Shortest = 48, Longest = 320; // Before the user drags them, in pixels.
    constexpr int ScrollBarWidth = 10;
    QHeaderView& header = *table.header();
    const int count = table.model()->columnCount();
    for (int column = 0; column < count; ++column) {
        table.resizeColumnToContents(column);
        header.resizeSection(column, std::clamp(header.sectionSize(column) + 8, Shortest, Longest));
    }
    const int left = width - ScrollBarWidth - header.length();
    for (int column = 0; left > count && column < count; ++column) {
        const int own = header.sectionSize(column);
        header.resizeSection(column, own + std::min(own, left / count));
    }
}

} // namespace helio
