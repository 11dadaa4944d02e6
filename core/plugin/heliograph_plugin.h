/* Analyses in shared libraries: version 1 of the C interface between Heliograph and a plug-in. This file is the only one that a plug-in
 * includes, and it is the documentation. share/heliograph/examples/plugin contains an example; the guide explains how to build and use
 * it.
 *
 * A plug-in is a shared library with one function, heliograph_analysis(). Heliograph loads it if the user names its file with --plugin,
 * or if it is in a plug-in folder and the user has allowed it. It is never unloaded. The results of a plug-in's analysis are stored,
 * drawn, listed and searched like those of built-in analyses. If the file of a plug-in changes, its stores are built again.
 *
 * Order of calls: applies() is called whenever a trace is opened. If it returns a value other than 0, begin() makes one analysis,
 * declares its output (state sets, rows, kinds of segments, series of counters, kinds of samples) and looks up the fields that it will
 * read. event() is called for every event of the trace, in the order of their times, and writes the results. finish() receives the
 * time of the last event. drop() frees the analysis.
 *
 * All times are ns on the clock of the trace. Texts are UTF-8, end with a NUL and are copied. Numbers of types, fields, state sets, rows
 * and other things count from 0 and are valid only for the call or the analysis that received them; HELIOGRAPH_NONE stands for no such
 * thing. Functions that may fail return HELIOGRAPH_NONE or 0. Calls with such a number are ignored and never crash.
 *
 * Threads: an analysis made by begin() is used by one thread at a time. Several analyses may run at once, and applies() may be called by
 * several threads at once.
 *
 * Versions: structures with a member `size` only grow, at their end; other structures never change. A plug-in therefore works in all
 * later programs that support its version. A plug-in built with a newer header than the program must check that `host->size` covers a
 * function before calling it. */
#ifndef HELIOGRAPH_PLUGIN_H
#define HELIOGRAPH_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HELIOGRAPH_PLUGIN_ABI 1u
#define HELIOGRAPH_NONE UINT32_MAX

typedef struct heliograph_trace heliograph_trace; /* The trace that is read. */
typedef struct heliograph_event heliograph_event; /* An event of the trace; valid during the call that passes it. */
typedef struct heliograph_output heliograph_output; /* Object that receives the results of an analysis. */

/* Category of a state. Views use it to count and explain states whose names they do not know. It also decides the height of the state's
 * bars: full on a CPU, half when runnable or waiting, a thin line at rest, hatched if nothing is known. */
enum heliograph_meaning {
    HELIOGRAPH_MEANS_NOTHING,
    HELIOGRAPH_ON_CPU,
    HELIOGRAPH_ON_CPU_USER,
    HELIOGRAPH_ON_CPU_SYSCALL,
    HELIOGRAPH_ON_CPU_KERNEL,
    HELIOGRAPH_ON_CPU_INTERRUPT,
    HELIOGRAPH_ON_CPU_EXIT,
    HELIOGRAPH_WAITS_FOR_CPU,
    HELIOGRAPH_PREEMPTED,
    HELIOGRAPH_WAITS,
    HELIOGRAPH_RESTS,
    HELIOGRAPH_OFF_CPU,
    HELIOGRAPH_UNKNOWN,
    HELIOGRAPH_THROTTLED /* The thread is runnable, but the scheduler does not let it run on an idle CPU. */
};

typedef struct heliograph_state {
    const char* name; /* Name of the state in files and output, e.g. "busy". */
    const char* legend; /* Name of the state in legends, e.g. "busy"; `name` if null. */
    const char* color; /* Colour as "#rrggbb", or a colour role of the themes; if null, the state gets a category colour. */
    uint32_t meaning; /* Category of the state: a value of enum heliograph_meaning. */
} heliograph_state;

/* Type of the value of a state. */
enum heliograph_value { HELIOGRAPH_NO_VALUE, HELIOGRAPH_TEXT, HELIOGRAPH_NUMBER };

typedef struct heliograph_row {
    const char* view; /* Id of the view that shows the row: one of the views of the analysis. */
    const char* key; /* Identifier of the row, unique in its view, e.g. "disk:0". */
    const char* label;
    uint32_t parent; /* Number of the parent row; HELIOGRAPH_NONE for a row at the top level. */
    uint32_t state_set;
    uint32_t value; /* Type of the states' values: a value of enum heliograph_value. */
    int32_t pid, tid, cpu; /* PID, TID and CPU number of the row; -1 for each number that the row does not have. */
    int32_t order; /* Sort key of the row among its siblings, ascending. */
} heliograph_row;

enum heliograph_shape { HELIOGRAPH_ROWS, HELIOGRAPH_CURVES };

/* A panel on the time axis. It shows the rows, or the curves of the counters, that refer to it. */
typedef struct heliograph_view {
    const char* id; /* Id of the view, e.g. "disk": letters, digits and "-"; unique among all views. */
    const char* title; /* Title of the view, e.g. "Disks". */
    const char* tip; /* One sentence that says what the view shows. */
    uint32_t shape; /* Rows or curves: a value of enum heliograph_shape. */
    const char* one; /* Singular noun for a row or counter of the view, e.g. "disk"; "row" or "counter" if null. */
    const char* many; /* Plural noun for the rows or counters of the view, e.g. "disks". */
    const char* nothing; /* Text of the view if it is empty, e.g. "No requests to disks were recorded."; no text if null. */
} heliograph_view;

/* A kind of segments. Segments are intervals with a begin and an end, e.g. requests or transactions; they may overlap. The command
 * `latency --of ID`, searches and the views of durations use them. */
typedef struct heliograph_segment_kind {
    const char* id; /* Id of the kind, unique in the analysis, e.g. "requests". */
    const char* title; /* Title of the kind, e.g. "Requests". */
    const char* name_title; /* Column title for the segments' names, e.g. "Process"; null if the segments have no names. */
    const char* value_title; /* Column title for the segments' values, e.g. "Size"; null if the segments have no values. */
    const char* value_unit; /* Unit of the segments' values, e.g. "B"; null if the values are plain numbers. */
} heliograph_segment_kind;

typedef struct heliograph_segment {
    uint32_t kind;
    uint32_t row; /* Number of the segment's row; HELIOGRAPH_NONE if the segment has no row. */
    int64_t begin, end;
    const char* name;
    int64_t value;
} heliograph_segment;

/* A series of a counter, which is a number that changes over time. */
typedef struct heliograph_series {
    /* Id of the view that shows the series: one of the analysis's views with the shape HELIOGRAPH_CURVES. If null, no view shows the
     * series, but the command `counters` lists it. */
    const char* view;
    const char* id; /* Id of the series, unique in the analysis, e.g. "disk:0/queue". */
    const char* title; /* Title of the series, e.g. "Queue of disk 0". */
    const char* unit; /* Unit of the series' values, e.g. "B"; null if the values are plain numbers. */
    uint32_t row; /* Number of the row that the series belongs to; HELIOGRAPH_NONE if the series has no row. */
    uint32_t is_real; /* Type of the values: 0 for 64-bit integers, any other number for doubles. */
    uint32_t is_total; /* Not 0 if the values are a growing total, which views show as a rate; 0 if they are shown as they are. */
} heliograph_series;

/* A kind of samples. A flame graph, and the views of functions and callers, show one kind at a time. Kinds with equal names are one kind.
 */
typedef struct heliograph_sample_kind {
    const char* name; /* Name of the kind, e.g. "allocations". */
    const char* unit; /* Unit of the samples' weights, e.g. "B"; null if the weights are plain numbers. */
    /* Not 0 if the weights are the time in ns that a thread spent on a CPU. Meant for traces that have no samples of CPU time themselves.
     */
    uint32_t is_cpu_time;
} heliograph_sample_kind;

/* A frame of a call stack together with the stack of its caller. */
typedef struct heliograph_frame {
    uint32_t caller; /* Number of the caller's stack, from frame(); HELIOGRAPH_NONE for the outermost frame. */
    uint32_t is_return_address; /* Not 0 if `address` is a return address, i.e. the address of the instruction after the call. */
    const char* function; /* Name of the function; if null, the name is looked up in the symbols of `file`. */
    const char* file; /* Program or library that contains the function; null if unknown. */
    uint64_t address; /* Offset of the instruction in bytes from the beginning of `file`; used only if `function` is null. */
} heliograph_frame;

typedef struct heliograph_sample {
    uint32_t kind;
    uint32_t stack; /* Number of the sample's stack, from frame(); HELIOGRAPH_NONE if the sample has no frames. */
    int64_t time; /* Time of the sample. Must not decrease within a kind; a time before the latest time is replaced by the latest time. */
    uint64_t weight;
    int32_t pid, tid, cpu; /* PID, TID and CPU number of the sample; -1 for each number that is unknown. */
} heliograph_sample;

/* The functions of Heliograph that a plug-in may call. Later versions only add members at the end; `size` is the size in bytes of the
 * structure in the running version of Heliograph. */
typedef struct heliograph_host_v1 {
    uint32_t size;

    /* Functions that read the trace. */
    uint32_t (*type_count)(const heliograph_trace* trace);
    /* Returns the name of an event type, a number below type_count(); null if no event type has this number. */
    const char* (*type_name)(const heliograph_trace* trace, uint32_t type);
    /* Returns the number of a field, e.g. "next_tid", of an event type; HELIOGRAPH_NONE if the type does not have the field. Searches the
     * payload first, then the contexts. Cost: a search; call it in begin() only. */
    uint32_t (*field)(heliograph_trace* trace, uint32_t type, const char* name);

    /* Functions that read an event. */
    int64_t (*event_time)(const heliograph_event* event);
    uint32_t (*event_type)(const heliograph_event* event);
    int32_t (*event_cpu)(const heliograph_event* event); /* Returns the CPU number of the event; -1 if unknown. */
    /* Sets `value` to the value of an integer field. Returns 0 if the event has no integer field with this number. */
    int (*event_integer)(const heliograph_event* event, uint32_t field, int64_t* value);
    /* Sets `value` to the value of a number field; an integer is converted to double. Returns 0 if the event has no such field. */
    int (*event_real)(const heliograph_event* event, uint32_t field, double* value);
    /* Copies the text of a field to `text`: at most `room` bytes, including the NUL. Returns the length of the whole text. */
    uint32_t (*event_text)(const heliograph_event* event, uint32_t field, char* text, uint32_t room);

    /* Functions that receive the results of an analysis. */
    /* Declares a state set of at most 32 states. If two sets have the same id, the first one is used. */
    uint32_t (*state_set)(heliograph_output* output, const char* id, const heliograph_state* states, uint32_t count);
    uint32_t (*row)(heliograph_output* output, const heliograph_row* row);
    /* Returns the number of a text. It is passed to set() as `value`, for rows whose values have the type HELIOGRAPH_TEXT. */
    uint32_t (*text)(heliograph_output* output, const char* text);
    /* Sets the state of a row from `time` on. Times must not decrease within a row. */
    void (*set)(heliograph_output* output, int64_t time, uint32_t row, uint32_t state, uint32_t value);
    void (*end)(heliograph_output* output, int64_t time, uint32_t row); /* Ends the row: it does not exist from `time` on. */
    uint32_t (*link_kind)(heliograph_output* output, const char* id, const char* title, const char* color);
    void (*link)(heliograph_output* output, uint32_t kind, uint32_t from, int64_t from_time, uint32_t to, int64_t to_time);
    /* Declares a kind of segments; at most 255 kinds. */
    uint32_t (*segment_kind)(heliograph_output* output, const heliograph_segment_kind* kind);
    /* Adds a segment. Any order is allowed, but queries are fastest if segments come roughly in the order of their ends. */
    void (*segment)(heliograph_output* output, const heliograph_segment* segment);
    /* Declares a series of a counter; at most 65536 series. */
    uint32_t (*series)(heliograph_output* output, const heliograph_series* series);
    /* point() and real_point() set the value of a series from `time` on. Times must not decrease within a series. The value is
     * converted to the type of the series. */
    void (*point)(heliograph_output* output, uint32_t series, int64_t time, int64_t value);
    void (*real_point)(heliograph_output* output, uint32_t series, int64_t time, double value);
    /* Declares a kind of samples; at most 255 kinds. */
    uint32_t (*sample_kind)(heliograph_output* output, const heliograph_sample_kind* kind);
    /* Returns the stack with this frame on top of its caller's stack; the same stack for equal arguments. Cost: a search. */
    uint32_t (*frame)(heliograph_output* output, const heliograph_frame* frame);
    void (*sample)(heliograph_output* output, const heliograph_sample* sample);
    /* Reports a problem in the interpretation of the trace to the user, under Messages. `kind` is a short word that identifies the problem
     * in all versions of the plug-in; `what` is the text for the user. */
    void (*warn)(heliograph_output* output, const char* kind, const char* what);
} heliograph_host_v1;

/* An analysis of a plug-in. The structure and everything it points to must stay valid as long as the library is loaded. */
typedef struct heliograph_analysis_v1 {
    uint32_t size; /* Size of this structure in bytes: sizeof(heliograph_analysis_v1). */
    const char* id; /* Id of the analysis, unique among all analyses, e.g. "disk-queues". */
    const char* title; /* Title of the analysis in menus, e.g. "Disk queues"; if null, the title of the first view. */
    int32_t version; /* Version of the results; increase it when the results of the analysis change, so that stores are built again. */
    const heliograph_view* views;
    uint32_t view_count;

    /* Returns a value other than 0 if the analysis applies to the trace. */
    int (*applies)(const heliograph_host_v1* host, const heliograph_trace* trace);
    /* Begins an analysis and returns it; null if it cannot begin, so that it has no results. Null is reported to the user, and stored like
     * any other result. `host`, `trace` and `output` outlive the analysis. */
    void* (*begin)(const heliograph_host_v1* host, heliograph_trace* trace, heliograph_output* output, int64_t time);
    /* Called for all events, in the order of their times. */
    void (*event)(void* analysis, const heliograph_event* event);
    /* Called when events of the CPU `cpu` (-1 for an unknown CPU) were lost between `begin` and `end`. May be null. */
    void (*loss)(void* analysis, int64_t begin, int64_t end, int32_t cpu);
    /* Called after the last event, with its time. All rows end at this time, unless a state was set to begin later. */
    void (*finish)(void* analysis, int64_t time);
    /* Frees the analysis. This is the last call, and is also made if reading the trace ended early. */
    void (*drop)(void* analysis);
} heliograph_analysis_v1;

/* The only function that a plug-in exports. Returns the analysis with this index, counted from 0; null if the plug-in has no further
 * analysis, or none for `abi`, the program's HELIOGRAPH_PLUGIN_ABI. The program also calls the function to list the analyses when no
 * trace is open. */
#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
const heliograph_analysis_v1*
heliograph_analysis(uint32_t abi, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
