#include "widgets/sql/sql_completion_list.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/paint/popup.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QAbstractListModel>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr int ListWidth = 330;
constexpr int RowHeight = 24;
constexpr int MostRows = 8; ///< Number of names in view; the list scrolls to further names.
constexpr int Margin = 5;

const char* iconOf(SqlCompletion::Kind kind)
{
    switch (kind) {
    case SqlCompletion::Kind::Column: return "list";
    case SqlCompletion::Kind::Table: return "row";
    case SqlCompletion::Kind::Function: return "event";
    case SqlCompletion::Kind::Module:
    case SqlCompletion::Kind::Keyword: return "";
    }
    return "";
}

} // namespace

class SqlCompletionModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void set(const SqlCompletions* completions)
    {
        beginResetModel();
        m_completions = completions;
        endResetModel();
    }
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() || !m_completions ? 0 : int(m_completions->found.size());
    }
    QVariant data(const QModelIndex& index, int role) const override
    {
        return index.isValid() && role == Qt::DisplayRole ? QVariant(at(index).name) : QVariant();
    }
    const SqlCompletion& at(const QModelIndex& index) const { return m_completions->found[std::size_t(index.row())]; }
    const QString& word() const { return m_completions->word; }

private:
    const SqlCompletions* m_completions = nullptr;
};

namespace {

class CompletionDelegate : public QStyledItemDelegate {
public:
    CompletionDelegate(const SqlCompletionModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, RowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const SqlCompletion& it = m_model.at(index);
        const QRect rect = option.rect;
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(rect, theme().color("surface.selected"));
        painter->drawPixmap(
            rect.left() + 7, rect.top() + (RowHeight - 16) / 2,
            iconPixmap(QLatin1String(iconOf(it.kind)), theme().color("text.secondary"), 16, painter->device()->devicePixelRatioF()));
        painter->setFont(fonts().detail());
        painter->setPen(theme().color("text.hint"));
        const qreal detail = std::min(cachedTextWidth(painter->font(), it.detail), rect.width() * 0.45);
        const QRectF right(rect.right() - 8 - detail, rect.top(), detail, rect.height());
        painter->drawText(right, Qt::AlignVCenter | Qt::AlignRight,
                          cachedElidedText(painter->font(), it.detail, Qt::ElideLeft, detail + 1));
        // The part of the name that the user wrote is bold.
        const auto begin = it.name.indexOf(m_model.word(), 0, Qt::CaseInsensitive);
        const auto length = begin < 0 ? 0 : m_model.word().size();
        QFont plain = fonts().fixed();
        QFont bold = plain;
        bold.setWeight(QFont::Bold);
        qreal x = rect.left() + 31;
        painter->setPen(theme().color("text.primary"));
        painter->setClipRect(QRectF(rect.left(), rect.top(), right.left() - 8 - rect.left(), rect.height()));
        for (const auto& [part, font] : {std::pair(it.name.left(std::max<qsizetype>(0, begin)), plain),
                                         std::pair(it.name.mid(std::max<qsizetype>(0, begin), length), bold),
                                         std::pair(it.name.mid(std::max<qsizetype>(0, begin) + length), plain)}) {
            painter->setFont(font);
            drawCachedText(*painter, QPointF(x, centredBaseline(plain, rect)), part);
            x += cachedTextWidth(font, part);
        }
        painter->setClipping(false);
    }

private:
    const SqlCompletionModel& m_model;
};

} // namespace

SqlCompletionList::SqlCompletionList(QWidget* parent)
    : QFrame(parent)
    , m_model(new SqlCompletionModel(this))
    , m_view(new QListView)
    , m_help(makeLabel({}, 10.5, 400, "text.secondary"))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(PopupShadow + 1, PopupShadow + Margin, PopupShadow + 1, PopupShadow + Margin);
    layout->setSpacing(4);
    layout->addWidget(m_view);
    layout->addWidget(m_help);
    m_help->setContentsMargins(9, 4, 9, 2);
    m_help->setWordWrap(true);
    m_help->setTextFormat(Qt::PlainText);
    setObjectName("completions");
    setFocusPolicy(Qt::NoFocus);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setModel(m_model);
    m_view->setItemDelegate(new CompletionDelegate(*m_model, this));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setAccessibleName(tr("Names to insert"));
    const auto look = [this] {
        QPalette palette;
        palette.setColor(QPalette::Base, theme().color("surface.raised"));
        m_view->setPalette(palette);
        m_view->viewport()->setPalette(palette);
    };
    connect(&Themes::instance(), &Themes::changed, this, look);
    look();
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &SqlCompletionList::showHelp);
    connect(m_view, &QListView::clicked, this, &SqlCompletionList::accepted);
    hide();
}

void SqlCompletionList::offer(SqlCompletions completions, const QRect& line)
{
    m_model->set(nullptr);
    m_completions = std::move(completions);
    m_model->set(&m_completions);
    if (m_completions.found.empty())
        return hide();
    const int rows = std::min(MostRows, int(m_completions.found.size()));
    m_view->setFixedHeight(rows * RowHeight + 2);
    m_help->setFixedHeight(QFontMetrics(m_help->font()).lineSpacing() * 2 + 8);
    m_view->setCurrentIndex(m_model->index(0, 0));
    const QSize size(ListWidth + 2 * PopupShadow, layout()->sizeHint().height());
    const QRect room = parentWidget()->rect();
    int y = line.bottom() + 2 - PopupShadow;
    if (y + size.height() > room.bottom() && line.top() - size.height() + PopupShadow > 0)
        y = line.top() - size.height() + PopupShadow;
    const int x = std::clamp(line.left() - PopupShadow, 0, std::max(0, room.width() - size.width()));
    setGeometry(QRect(QPoint(x, y), size));
    show();
    raise();
}

void SqlCompletionList::step(int by)
{
    const int row = std::clamp(m_view->currentIndex().row() + by, 0, std::max(0, m_model->rowCount() - 1));
    m_view->setCurrentIndex(m_model->index(row, 0));
}

const SqlCompletion* SqlCompletionList::current() const
{
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() ? &m_model->at(index) : nullptr;
}

void SqlCompletionList::showHelp()
{
    const SqlCompletion* it = current();
    const QString help = it ? it->help : QString();
    // Two lines; the columns of a wide table need more.
    QString shown = help;
    const QFontMetrics metrics(m_help->font());
    const int most = (ListWidth - 22) * 2 - 40;
    if (metrics.horizontalAdvance(shown) > most)
        shown = metrics.elidedText(shown, Qt::ElideRight, most);
    m_help->setText(shown);
    m_help->setVisible(!help.isEmpty());
    if (isVisible())
        resize(width(), layout()->sizeHint().height());
}

void SqlCompletionList::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRectF card = QRectF(rect()).adjusted(PopupShadow, PopupShadow, -PopupShadow, -PopupShadow);
    paintPopupShadow(painter, card);
    paintPopup(painter, card);
}

} // namespace helio
