#include "widgets/controls/field_grid.h"

#include "widgets/controls/copy_text.h"
#include "widgets/controls/value_label.h"
#include "widgets/theme/themes.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

namespace helio {

namespace {

constexpr QChar Break(0x200b); ///< Zero width space, at which a line may be broken.

constexpr int LongestName = 24; ///< Maximum number of characters of a name in one line.
constexpr int LongNameWidth = 160; ///< Width in pixels of a name of several lines.

/// Inserts break characters into words that are wider than a dock, e.g. paths and build IDs.
QString breakable(const QString& text, int longestWord = 28)
{
    QString broken;
    int length = 0; // Length of the current word.
    for (const QChar c : text) {
        if (length = c.isSpace() ? 0 : length + 1; length > longestWord && !c.isLowSurrogate() && !c.isMark()) {
            broken += Break;
            length = 1;
        }
        broken += c;
    }
    return broken;
}

/// Label of a value. When the user copies its text, the break characters that allow it to wrap are removed from the copy.
class ValueLabel : public LinkLabel {
public:
    ValueLabel() = default;

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        if (!event->matches(QKeySequence::Copy) || !hasSelectedText())
            return QLabel::keyPressEvent(event);
        copy(QClipboard::Clipboard);
        event->accept();
    }
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        QLabel::mouseReleaseEvent(event);
        if (hasSelectedText() && QGuiApplication::clipboard()->supportsSelection())
            copy(QClipboard::Selection);
    }
    void contextMenuEvent(QContextMenuEvent* event) override
    {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("Copy"), this, [this] { copy(QClipboard::Clipboard); })->setShortcut(QKeySequence::Copy);
        menu->popup(event->globalPos());
    }

private:
    /// Copies the selected text, or the whole text if nothing is selected.
    void copy(QClipboard::Mode mode) const
    {
        QString all = textFormat() == Qt::RichText ? QTextDocumentFragment::fromHtml(text()).toPlainText() : text();
        copyText((hasSelectedText() ? selectedText() : all).remove(Break), mode);
    }
};

} // namespace

PanelGround::PanelGround(QWidget* parent)
    : QWidget(parent)
{
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void PanelGround::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), theme().color("surface.panel")); }

HorizontalRule::HorizontalRule(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(1);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void HorizontalRule::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), theme().color("line.subtle")); }

ScrollPage::ScrollPage(QWidget* parent)
    : QScrollArea(parent)
{
    auto* page = new PanelGround;
    m_content = new QVBoxLayout(page);
    m_content->setContentsMargins(14, 14, 14, 14);
    m_content->setSpacing(8);
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalScrollBar()->setAccessibleName(tr("Scroll"));
    setWidget(page);
}

void ScrollPage::setFooter(QWidget* footer)
{
    m_footer = footer;
    footer->setParent(this);
    footer->show();
    placeFooter();
}

void ScrollPage::setFooterShown(bool isShown)
{
    if (isShown != m_footer->isHidden())
        return;
    m_footer->setVisible(isShown);
    placeFooter();
}

/// Places the footer at the bottom of the page. If the page is less than six times as high as the footer, the footer scrolls with the
/// contents instead.
void ScrollPage::placeFooter()
{
    if (!m_footer)
        return;
    const bool isShown = !m_footer->isHidden();
    const bool scrolls = height() < 6 * m_footer->sizeHint().height();
    if (scrolls != (m_content->indexOf(m_footer) >= 0)) {
        scrolls ? m_content->addWidget(m_footer) : m_content->removeWidget(m_footer);
        m_footer->setParent(scrolls ? widget() : static_cast<QWidget*>(this));
        m_footer->setVisible(isShown);
    }
    if (scrolls)
        return setViewportMargins(0, 0, 0, 0);
    const int high = isShown ? m_footer->sizeHint().height() : 0;
    setViewportMargins(0, 0, 0, high);
    m_footer->setGeometry(0, height() - high, width(), high);
}

void ScrollPage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    placeFooter();
}

FieldGrid::FieldGrid(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnMinimumWidth(0, 76);
    m_grid->setColumnStretch(1, 1);
}

void FieldGrid::begin() { m_count = 0; }

void FieldGrid::end()
{
    for (std::size_t i = m_count; i < m_lines.size(); ++i) {
        m_lines[i].name->hide();
        m_lines[i].value->hide();
    }
}

FieldGrid::Line& FieldGrid::line(std::size_t index)
{
    while (m_lines.size() <= index) {
        auto* value = new ValueLabel;
        styleLabel(value, 11.5, 400, "text.primary");
        Line made{makeLabel({}, 11.5, 400, "text.secondary"), value};
        made.name->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        made.name->setTextFormat(Qt::PlainText);
        hideFromScreenReaders(*made.name); // They read the name as part of the value.
        made.value->setWordWrap(true);
        made.value->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        connect(made.value, &QLabel::linkActivated, this, &FieldGrid::linkActivated);
        m_grid->addWidget(made.name, int(m_lines.size()), 0);
        m_grid->addWidget(made.value, int(m_lines.size()), 1);
        m_lines.push_back(made);
    }
    return m_lines[index];
}

void FieldGrid::add(const QString& name, const QString& value, int indent, const QString& link)
{
    const Line& it = line(m_count++);
    it.name->setContentsMargins(indent * 12, 0, 0, 0); // setIndent() is not used, because it would also move the text down.
    // A long name, e.g. of a file, must leave room for the values of all lines.
    const bool isLong = name.size() > LongestName;
    it.name->setWordWrap(isLong);
    it.name->setMinimumWidth(isLong ? LongNameWidth : 0);
    it.name->setMaximumWidth(isLong ? LongNameWidth : QWIDGETSIZE_MAX);
    it.name->setText(isLong ? breakable(name, LongestName - 4) : name);
    setValueName(*it.value, name);
    it.value->setTextFormat(link.isEmpty() ? Qt::PlainText : Qt::RichText);
    it.value->setTextInteractionFlags(link.isEmpty() ? Qt::TextSelectableByMouse : Qt::TextBrowserInteraction);
    it.value->setText(link.isEmpty() ? breakable(value) : linkText(link, breakable(value)));
    it.name->show();
    it.value->show();
}

bool LinkLabel::focusNextPrevChild(bool isNext)
{
    const bool isAtFirstLink = selectionStart() == 0;
    return !isNext && isAtFirstLink ? QFrame::focusNextPrevChild(isNext) : QLabel::focusNextPrevChild(isNext);
}

QString linkText(const QString& reference, const QString& text)
{
    return QStringLiteral("<a style=\"text-decoration:none;color:%1\" href=\"%2\">%3</a>")
        .arg(theme().color("text.link").name(), reference.toHtmlEscaped(), text.toHtmlEscaped());
}

void setTextWithLinks(QLabel& label, const QString& text)
{
    const bool hasLinks = text.contains(QLatin1String("<a "));
    label.setTextFormat(Qt::RichText);
    label.setText(text);
    label.setTextInteractionFlags(hasLinks ? Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard : Qt::NoTextInteraction);
}

void styleLabel(QLabel* label, qreal size, int weight, const char* role)
{
    const auto dressNow = [label, size, weight, role] {
        label->setFont(fonts().at(size, weight));
        QPalette p = label->palette();
        p.setColor(QPalette::WindowText, theme().color(role));
        p.setColor(QPalette::Text, theme().color(role));
        label->setPalette(p);
    };
    QObject::connect(&Themes::instance(), &Themes::changed, label, dressNow);
    dressNow();
}

QLabel* makeLabel(const QString& text, qreal size, int weight, const char* role)
{
    auto* label = new LinkLabel(text);
    styleLabel(label, size, weight, role);
    return label;
}

} // namespace helio
