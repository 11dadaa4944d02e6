#include "widgets/controls/omnibox.h"

#include "widgets/controls/icons.h"
#include "widgets/controls/palette_delegate.h"
#include "widgets/paint/popup.h"
#include "widgets/theme/themes.h"

#include <QFrame>
#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr int LineHeight = 28;
constexpr int MostShown = 12;
constexpr int ListWidth = 560;

class PopupFrame : public QFrame {
public:
    using QFrame::QFrame;

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        paintPopup(painter, rect());
    }
};

} // namespace

Omnibox::Omnibox(QWidget* parent)
    : QLineEdit(parent)
    , m_model(this)
    , m_frame(new PopupFrame(this))
    , m_list(new QListView(m_frame))
{
    setObjectName("omnibox");
    setPlaceholderText(tr("Search names, fields and times, or type > for a command"));
    setAccessibleName(tr("Command palette"));
    setToolTip(tr("Find commands (>), rows (@) and times (:), or all of them without a prefix (Ctrl+K)"));
    setFixedHeight(25);
    setFrame(false);
    setTextMargins(28, 0, 56, 0);
    m_frame->hide();
    auto* layout = new QVBoxLayout(m_frame);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_list);
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_model, m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(tr("Matches"));
    connect(m_list, &QListView::entered, m_list, &QListView::setCurrentIndex);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { run(index.row()); });
    connect(this, &QLineEdit::textEdited, this, [this] { showList(); });
    connect(&m_model, &PaletteModel::modelReset, this, [this] {
        if (isOpen()) { // The model's rows changed: select the first row and adjust the list's size.
            m_list->setCurrentIndex(m_model.index(0));
            placeList();
        }
    });
    connect(&Themes::instance(), &Themes::changed, this, &Omnibox::updateLook);
    updateLook();
}

void Omnibox::open(const QString& text)
{
    if (!hasFocus())
        m_before = window()->focusWidget();
    setFocus(Qt::ShortcutFocusReason);
    setText(text);
    emit opened();
    showList();
}

bool Omnibox::isOpen() const { return m_frame->isVisible(); }

void Omnibox::showList()
{
    m_model.setText(text());
    m_list->setCurrentIndex(m_model.index(0));
    placeList();
    m_frame->setVisible(m_model.rowCount() > 0);
    m_frame->raise();
}

void Omnibox::placeList()
{
    if (m_frame->parentWidget() != window()) {
        m_frame->setParent(window());
        auto* shadow = new QGraphicsDropShadowEffect(m_frame);
        shadow->setBlurRadius(18);
        shadow->setOffset(0, 5);
        shadow->setColor(QColor(0, 0, 0, theme().isDark() ? 140 : 56));
        m_frame->setGraphicsEffect(shadow);
    }
    const int lines = std::min(m_model.rowCount(), MostShown);
    const int width = std::min(ListWidth, window()->width() - 20);
    const QPoint below = mapTo(window(), QPoint(this->width() / 2 - width / 2, height() + 4));
    m_frame->setGeometry(std::clamp(below.x(), 4, std::max(4, window()->width() - width - 4)), below.y(), width, lines * LineHeight + 14);
}

void Omnibox::hideList() { m_frame->hide(); }

void Omnibox::run(int line)
{
    const PaletteItem* item = m_model.item(line);
    if (!item || !item->isEnabled)
        return;
    const auto action = item->run; // Copied, because running the action may change the items.
    leave();
    if (action)
        action();
}

void Omnibox::leave()
{
    hideList();
    clear();
    if (m_before)
        m_before->setFocus(Qt::OtherFocusReason);
    else
        clearFocus();
    m_before.clear();
}

void Omnibox::keyPressEvent(QKeyEvent* event)
{
    const int current = m_list->currentIndex().row();
    const auto choose = [&](int line) {
        if (!isOpen())
            showList();
        m_list->setCurrentIndex(m_model.index(std::clamp(line, 0, std::max(0, m_model.rowCount() - 1))));
    };
    switch (event->key()) {
    case Qt::Key_Down: return choose(current + 1);
    case Qt::Key_Up: return choose(current - 1);
    case Qt::Key_PageDown: return choose(current + MostShown);
    case Qt::Key_PageUp: return choose(current - MostShown);
    case Qt::Key_Return:
    case Qt::Key_Enter: return isOpen() ? run(current) : showList();
    case Qt::Key_Escape: return leave();
    default: QLineEdit::keyPressEvent(event);
    }
}

void Omnibox::focusInEvent(QFocusEvent* event)
{
    QLineEdit::focusInEvent(event);
    update();
}

void Omnibox::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason)
        hideList();
}

void Omnibox::mousePressEvent(QMouseEvent* event)
{
    QLineEdit::mousePressEvent(event);
    if (!isOpen()) {
        emit opened();
        showList();
    }
}

void Omnibox::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color(hasFocus() ? "accent.line" : "line.strong"), 1));
    painter.setBrush(theme().color("surface.input"));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.drawPixmap(9, (height() - 15) / 2, iconPixmap("search", theme().color("text.secondary"), 15, devicePixelRatioF()));
    if (text().isEmpty()) {
        painter.setFont(fonts().at(10, 500));
        const QString key = QKeySequence(Qt::CTRL | Qt::Key_K).toString(QKeySequence::NativeText).replace('+', ' ');
        const QRectF cap(width() - 56, 5, 47, height() - 10);
        painter.setPen(theme().color("line.subtle"));
        painter.setBrush(theme().color("surface.header"));
        painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(cap, Qt::AlignCenter, key);
    }
    painter.end();
    QLineEdit::paintEvent(event);
}

void Omnibox::updateLook()
{
    QPalette p = palette();
    p.setColor(QPalette::Base, Qt::transparent);
    p.setColor(QPalette::Text, theme().color("text.primary"));
    p.setColor(QPalette::PlaceholderText, theme().color("text.hint"));
    setPalette(p);
    setFont(fonts().body());
    QPalette list = palette();
    list.setColor(QPalette::Base, theme().color("surface.raised"));
    m_list->setPalette(list);
    update();
}

} // namespace helio
