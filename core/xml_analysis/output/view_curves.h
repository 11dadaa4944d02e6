#pragma once

#include "core/store/store.h"
#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/output/view_attributes.h"
#include "core/xml_analysis/running/attribute_marks.h"
#include "core/xml_analysis/running/attribute_tree.h"

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Writes the series of an xyView for one analysis's tree: one series for each attribute that the view's entry leads to. A value that
/// becomes null counts as 0, and so does a text that is no number.
/// Threads: to be used by one thread.
class ViewCurves {
public:
    /// Ownership: all arguments outlive the object.
    ViewCurves(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, StateSink& sink);

    void onChange(HostTimestamp from, Quark attribute, const Value& value)
    {
        m_attributes.onChange(attribute, value);
        if (m_used.has(attribute))
            takeAll(from, attribute, value);
    }

    void finish();

private:
    /// Last value of a series. It is written when the time advances, because the last value at a time counts.
    struct Point {
        HostTimestamp at;
        Value value;
    };
    struct Series {
        Quark attribute = NoQuark;
        std::string id;
        std::string title;
        std::optional<CounterSeriesId> series; ///< Set when the series has a value.
        bool isReal = false;
        bool hasName = false; ///< True if an attribute gave the title; its first value counts.
        std::optional<Point> last;
    };
    enum class Part { Display, Name };
    struct Use {
        Part part;
        Series* series;
    };

    void add(Quark attribute);
    void use(const std::optional<ViewAttribute>& attribute, Series& series, Part part);
    void flush(Series& series);
    void takeAll(HostTimestamp from, Quark attribute, const Value& value);
    void take(HostTimestamp from, const Value& value, const Use& use);

    const View& m_view;
    const std::string m_analysis;
    const AttributeTree& m_tree;
    PathWatch& m_paths;
    ViewAttributes m_attributes;
    StateSink& m_sink;
    std::deque<Series> m_series;
    std::unordered_map<Quark, std::vector<Use>> m_uses;
    AttributeMarks m_used; ///< Attributes in m_uses.
};

} // namespace helio::xml
