#include "widgets/shell/field_grid.h"

#include "widgets/theme/themes.h"

#include <QGridLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace helio {

PanelGround::PanelGround(QWidget* parent)
    : QWidget(parent)
{
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void PanelGround::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), theme().color("surface.panel")); }

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
    setWidget(page);
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

void FieldGrid::clear()
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_lines = 0;
}

void FieldGrid::add(const QString& name, const QString& value, int indent, const QString& link)
{
    QLabel* key = makeLabel(name, 11.5, 400, "text.secondary");
    key->setIndent(indent * 12);
    key->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QLabel* text = makeLabel(value, 11.5, 400, "text.primary");
    text->setWordWrap(true);
    text->setAccessibleName(name);
    if (link.isEmpty()) {
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    } else {
        text->setTextFormat(Qt::RichText);
        text->setText(linkText(link, value));
        text->setTextInteractionFlags(Qt::TextBrowserInteraction);
        connect(text, &QLabel::linkActivated, this, &FieldGrid::linkActivated);
    }
    m_grid->addWidget(key, m_lines, 0);
    m_grid->addWidget(text, m_lines, 1);
    ++m_lines;
}

QString linkText(const QString& reference, const QString& text)
{
    return QStringLiteral("<a style=\"text-decoration:none;color:%1\" href=\"%2\">%3</a>")
        .arg(theme().color("text.link").name(), reference.toHtmlEscaped(), text.toHtmlEscaped());
}

QLabel* makeLabel(const QString& text, qreal size, int weight, const char* role)
{
    auto* label = new QLabel(text);
    const auto dress = [label, size, weight, role] {
        label->setFont(fonts().at(size, weight));
        QPalette p = label->palette();
        p.setColor(QPalette::WindowText, theme().color(role));
        p.setColor(QPalette::Text, theme().color(role));
        label->setPalette(p);
    };
    QObject::connect(&Themes::instance(), &Themes::changed, label, dress);
    dress();
    return label;
}

} // namespace helio
