#pragma once

#include <QColor>
#include <QLabel>
#include <QPixmap>
#include <QScrollArea>
#include <QWidget>

#include <vector>

class QGridLayout;
class QVBoxLayout;

namespace helio {

/// A ground of surface.panel. (Painted, not set as a palette: style sheets take palettes away when a widget changes its parent.)
class PanelGround : public QWidget {
    Q_OBJECT

public:
    explicit PanelGround(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A scrolling page of a dock: surface.panel, contents padded 14, from the top down.
class ScrollPage : public QScrollArea {
    Q_OBJECT

public:
    explicit ScrollPage(QWidget* parent = nullptr);
    QVBoxLayout* content() const { return m_content; }
    /// Stays in view below what scrolls. Becomes a child.
    void setFooter(QWidget* footer);
    void setFooterShown(bool isShown); ///< Requires: there is one.

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeFooter();

    QVBoxLayout* m_content;
    QWidget* m_footer = nullptr;
};

/// Lines of a name and a value, 19 apart, names 84 wide. Labels are used again: making them costs more than all else here.
class FieldGrid : public QWidget {
    Q_OBJECT

public:
    explicit FieldGrid(QWidget* parent = nullptr);

    /// Between them, add() says what is shown.
    void begin();
    void end();
    /// A value with a link's reference is one: linkActivated is emitted when it is clicked.
    void add(const QString& name, const QString& value, int indent = 0, const QString& link = {});

signals:
    void linkActivated(const QString& reference);

private:
    struct Line {
        QLabel* name;
        QLabel* value;
    };
    Line& line(std::size_t index);

    QGridLayout* m_grid;
    std::vector<Line> m_lines;
    std::size_t m_count = 0;
};

/// A line of line.subtle across the page: below a heading.
class RuleLine : public QWidget {
    Q_OBJECT

public:
    explicit RuleLine(QWidget* parent = nullptr);

private:
    void paintEvent(QPaintEvent* event) override;
};

/// A link as rich text in text.link.
QString linkText(const QString& reference, const QString& text);

/// Gives a label a role's colour and one of the sizes of look.md, now and in other themes.
void dressLabel(QLabel* label, qreal size, int weight, const char* role);

/// A label in a role's colour and one of the sizes of look.md.
QLabel* makeLabel(const QString& text, qreal size, int weight, const char* role);

} // namespace helio
