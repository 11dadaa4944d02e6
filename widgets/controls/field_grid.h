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

/// A widget with the background surface.panel. It is painted, not set as a palette: style sheets discard palettes when a widget changes its
/// parent.
class PanelGround : public QWidget {
    Q_OBJECT

public:
    explicit PanelGround(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A scrolling page of a dock: background surface.panel, 14 pixels of padding, contents stacked from the top.
class ScrollPage : public QScrollArea {
    Q_OBJECT

public:
    explicit ScrollPage(QWidget* parent = nullptr);
    QVBoxLayout* content() const { return m_content; }
    /// Sets a widget that stays in view below the scrolling contents. Ownership: becomes a child.
    void setFooter(QWidget* footer);
    void setFooterShown(bool isShown); ///< Requires setFooter() before.

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeFooter();

    QVBoxLayout* m_content;
    QWidget* m_footer = nullptr;
};

/// Lines of a name and a value, 19 pixels apart, names 84 pixels wide. Labels are reused: creating them costs more than everything else.
class FieldGrid : public QWidget {
    Q_OBJECT

public:
    explicit FieldGrid(QWidget* parent = nullptr);

    /// Start and end of an update; add() is called between them for each line.
    void begin();
    void end();
    /// Adds a line. If `link` is not empty, the value is a link: linkActivated() is emitted with it on a click.
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

/// A line in line.subtle across the page, below a heading.
class HorizontalRule : public QWidget {
    Q_OBJECT

public:
    explicit HorizontalRule(QWidget* parent = nullptr);

private:
    void paintEvent(QPaintEvent* event) override;
};

/// Returns rich text: a link in text.link.
QString linkText(const QString& reference, const QString& text);

/// Gives a label a role's colour and one of the font sizes of look.md; follows the theme.
void styleLabel(QLabel* label, qreal size, int weight, const char* role);

/// Makes a label in a role's colour and one of the font sizes of look.md.
QLabel* makeLabel(const QString& text, qreal size, int weight, const char* role);

} // namespace helio
