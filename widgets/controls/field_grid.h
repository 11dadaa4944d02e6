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

/// Widget with the background surface.panel. The background is painted instead of set by a palette, because style sheets reset the palette
/// when a widget changes its parent.
class PanelGround : public QWidget {
    Q_OBJECT

public:
    explicit PanelGround(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Scrollable page of a dock: background surface.panel, 14 pixels of padding, contents stacked from the top.
class ScrollPage : public QScrollArea {
    Q_OBJECT

public:
    explicit ScrollPage(QWidget* parent = nullptr);
    QVBoxLayout* content() const { return m_content; }
    /// Sets a widget that stays visible below the scrolled contents.
    /// Ownership: becomes a child.
    void setFooter(QWidget* footer);
    void setFooterShown(bool isShown); ///< Shows or hides the footer. Requires setFooter().

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeFooter();

    QVBoxLayout* m_content;
    QWidget* m_footer = nullptr;
};

/// Lines of names and values, 19 pixels apart; names are 84 pixels wide. Labels are reused, because creating them costs more than
/// everything else.
class FieldGrid : public QWidget {
    Q_OBJECT

public:
    explicit FieldGrid(QWidget* parent = nullptr);

    /// Begins an update of all lines. The caller then calls add() for each line, and end(), which hides the lines that are no longer used.
    void begin();
    void end();
    /// Adds a line. If `link` is not empty, the value is a link; a click emits linkActivated() with `link`.
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

/// Horizontal line in line.subtle across the page, below a heading.
class HorizontalRule : public QWidget {
    Q_OBJECT

public:
    explicit HorizontalRule(QWidget* parent = nullptr);

private:
    void paintEvent(QPaintEvent* event) override;
};

/// Label whose links the keyboard enters and leaves in both directions. In a QLabel, Shift+Tab does not leave a link at the start of the
/// text.
class LinkLabel : public QLabel {
public:
    using QLabel::QLabel;

protected:
    bool focusNextPrevChild(bool isNext) override;
};

/// Returns rich text for a link, in the colour text.link.
QString linkText(const QString& reference, const QString& text);

/// Sets the rich text of a label. The keyboard reaches the label and its links; a label without links does not take the focus.
void setTextWithLinks(QLabel& label, const QString& text);

/// Sets the colour of a label by theme role, and the font by size and weight (Fonts::at()). The label follows changes of the theme.
void styleLabel(QLabel* label, qreal size, int weight, const char* role);

/// Makes a label with the colour of a theme role and a font of the given size and weight (Fonts::at()).
QLabel* makeLabel(const QString& text, qreal size, int weight, const char* role);

} // namespace helio
