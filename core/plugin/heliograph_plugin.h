/* Analyses in shared libraries: the C interface between Heliograph and a plug-in, version 1.
 *
 * A plug-in is one shared library with one function, heliograph_analysis(). Heliograph loads it only where a person names its file, and
 * never unloads it. What a plug-in analysis makes is stored, drawn and listed as what built-in ones make; other bytes in its file make
 * its stores be built again.
 *
 * All times are ns on the clock of the trace. Texts are UTF-8, end with a NUL and are copied. Numbers of types, fields, state sets, rows
 * and all else count from 0 and are only good for the call, or the analysis, that they were given to; HELIOGRAPH_NONE is none. Functions
 * that may fail answer HELIOGRAPH_NONE or 0; what follows from such an answer is ignored, never a crash. What begin() made is used by one
 * thread at a time; several analyses may run at once, and applies() may be called by several threads at once. */
#ifndef HELIOGRAPH_PLUGIN_H
#define HELIOGRAPH_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HELIOGRAPH_PLUGIN_ABI 1u
#define HELIOGRAPH_NONE UINT32_MAX

typedef struct heliograph_trace heliograph_trace; /* The trace that is read. */
typedef struct heliograph_event heliograph_event; /* One of its events: good for the call that hands it over. */
typedef struct heliograph_output heliograph_output; /* Takes what an analysis finds. */

/* What a state means, for views that count or explain states without knowing them. */
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
    HELIOGRAPH_UNKNOWN
};

typedef struct heliograph_state {
    const char* name; /* "busy": in files and answers. */
    const char* legend; /* "busy": in legends; null: the name. */
    const char* color; /* "#rrggbb", or a role of the themes; null: one of the categories. */
    uint32_t meaning; /* enum heliograph_meaning */
} heliograph_state;

/* What the value of a state is. */
enum heliograph_value { HELIOGRAPH_NO_VALUE, HELIOGRAPH_TEXT, HELIOGRAPH_NUMBER };

typedef struct heliograph_row {
    const char* view; /* The id of one of the analysis's views. */
    const char* key; /* "disk:0": unique in its view. */
    const char* label;
    uint32_t parent; /* A row, or HELIOGRAPH_NONE. */
    uint32_t state_set;
    uint32_t value; /* enum heliograph_value */
    int32_t pid, tid, cpu; /* -1: none. */
    int32_t order; /* Among its siblings. */
} heliograph_row;

typedef struct heliograph_view {
    const char* id; /* "disk" */
    const char* title; /* "Disks" */
    const char* tip; /* One sentence: what it shows. */
} heliograph_view;

/* What Heliograph offers. Later versions only add at the end; `size` says how much there is. */
typedef struct heliograph_host_v1 {
    uint32_t size;

    /* The trace. */
    uint32_t (*type_count)(const heliograph_trace* trace);
    const char* (*type_name)(const heliograph_trace* trace, uint32_t type); /* Null: there is no such type. */
    /* A field of a type's payload, else of its contexts: "next_tid". Costs a search: do it once, when the analysis begins. */
    uint32_t (*field)(heliograph_trace* trace, uint32_t type, const char* name);

    /* An event. */
    int64_t (*event_time)(const heliograph_event* event);
    uint32_t (*event_type)(const heliograph_event* event);
    int32_t (*event_cpu)(const heliograph_event* event); /* -1: not known. */
    int (*event_integer)(const heliograph_event* event, uint32_t field, int64_t* value); /* 0: it is no integer, or is not there. */
    /* Copies at most `room` bytes, NUL included; answers how long the text is. */
    uint32_t (*event_text)(const heliograph_event* event, uint32_t field, char* text, uint32_t room);

    /* What an analysis finds. */
    /* At most 32 states. Of two sets of one id the first counts. */
    uint32_t (*state_set)(heliograph_output* output, const char* id, const heliograph_state* states, uint32_t count);
    uint32_t (*row)(heliograph_output* output, const heliograph_row* row);
    uint32_t (*text)(heliograph_output* output, const char* text); /* A value for rows of HELIOGRAPH_TEXT. */
    /* From `time` on the row is in the state. Times of a row go forward. */
    void (*set)(heliograph_output* output, int64_t time, uint32_t row, uint32_t state, uint32_t value);
    void (*end)(heliograph_output* output, int64_t time, uint32_t row); /* From `time` on the row does not exist. */
    uint32_t (*link_kind)(heliograph_output* output, const char* id, const char* title, const char* color);
    void (*link)(heliograph_output* output, uint32_t kind, uint32_t from, int64_t from_time, uint32_t to, int64_t to_time);
    uint32_t (*segment_kind)(heliograph_output* output, const char* id, const char* title, const char* name_title);
    void (*segment)(heliograph_output* output, uint32_t kind, int64_t begin, int64_t end, const char* name, uint32_t row);
    /* What a person should know of how the trace was understood; shown under Messages. `kind`: a stable short word. */
    void (*warn)(heliograph_output* output, const char* kind, const char* what);
} heliograph_host_v1;

/* One kind of analysis. It and all it points to stay as long as the library is loaded. */
typedef struct heliograph_analysis_v1 {
    uint32_t size; /* sizeof(heliograph_analysis_v1) */
    const char* id; /* "disk-queues": unique among all analyses. */
    int32_t version; /* Raise it when what the analysis makes changes. */
    const heliograph_view* views;
    uint32_t view_count;

    /* Not 0: the trace has something for it. */
    int (*applies)(const heliograph_host_v1* host, const heliograph_trace* trace);
    /* Begins an analysis. Null: it cannot, and has nothing to show; that is reported, and kept like any other result. `host`, `trace` and
     * `output` outlive it. */
    void* (*begin)(const heliograph_host_v1* host, heliograph_trace* trace, heliograph_output* output, int64_t time);
    /* All events in the order of their times. */
    void (*event)(void* analysis, const heliograph_event* event);
    /* Events of a CPU (-1: of any) were lost in between. Null: it does not care. */
    void (*loss)(void* analysis, int64_t begin, int64_t end, int32_t cpu);
    /* The time of the last event. Rows end there by themselves, where no state was set to begin later. */
    void (*finish)(void* analysis, int64_t time);
    /* The last call, also where reading ended early. */
    void (*drop)(void* analysis);
} heliograph_analysis_v1;

/* The one symbol of a plug-in: its analysis of that index, from 0 on; null: there are no more, or none for that `abi`. */
const heliograph_analysis_v1* heliograph_analysis(uint32_t abi, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
